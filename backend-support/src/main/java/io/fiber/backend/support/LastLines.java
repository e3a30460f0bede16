// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import static java.util.Objects.requireNonNull;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** The last lines that a job has written, of several streams in the order in which they came. Thread-safe. */
public final class LastLines {

    /** The most lines that are kept. */
    public static final int MOST_LINES = 200;

    /** The most bytes of them, unless one line is longer. */
    public static final int MOST_BYTES = 64 * 1024;

    private final Charset charset;
    private final ArrayDeque<byte[]> lines = new ArrayDeque<>();
    private int bytes;

    /** Creates an empty one for lines in UTF-8. */
    public LastLines() {
        this(StandardCharsets.UTF_8);
    }

    /** Creates an empty one for lines in a charset that has ASCII in it. */
    public LastLines(Charset charset) {
        this.charset = requireNonNull(charset, "charset");
    }

    /** Adds a line without its end; the oldest ones make room. */
    public synchronized void add(byte[] line) {
        lines.addLast(line);
        bytes += line.length;
        while (lines.size() > MOST_LINES || (bytes > MOST_BYTES && lines.size() > 1)) {
            bytes -= lines.removeFirst().length;
        }
    }

    /** Returns a stream whose lines are kept. */
    public LineStream stream() {
        return stream(line -> {});
    }

    /**
     * Returns a stream whose lines are kept and passed on.
     *
     * @param sink gets every whole line, with its end
     */
    public LineStream stream(Consumer<byte[]> sink) {
        return new LineStream(line -> {
            add(Arrays.copyOf(line, line.length - 1));
            sink.accept(line);
        });
    }

    /** Returns at most {@code count} of the last lines, oldest first. */
    public synchronized List<String> last(int count) {
        List<String> result = new ArrayList<>(Math.min(count, lines.size()));
        int skip = lines.size() - count;
        for (byte[] line : lines) {
            if (skip-- <= 0) {
                result.add(new String(line, charset));
            }
        }
        return result;
    }
}
