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

/** Keeps the last lines that a job has written, of several streams in the order of arrival. Thread-safe. */
public final class LastLines {

    /** Maximum number of lines. */
    public static final int MOST_LINES = 200;

    /** Maximum number of bytes, unless a single line is longer. */
    public static final int MOST_BYTES = 64 * 1024;

    private final Charset charset;
    private final ArrayDeque<byte[]> lines = new ArrayDeque<>();
    private int bytes;

    /** Creates an empty log for lines in UTF-8. */
    public LastLines() {
        this(StandardCharsets.UTF_8);
    }

    /** Creates an empty log for lines in a charset that contains ASCII. */
    public LastLines(Charset charset) {
        this.charset = requireNonNull(charset, "charset");
    }

    /** Adds a line without its line end; the oldest lines make room. */
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
     * @param sink receives every whole line, with its line end
     */
    public LineStream stream(Consumer<byte[]> sink) {
        return new LineStream(line -> {
            add(Arrays.copyOf(line, line.length - 1));
            sink.accept(line);
        });
    }

    /** Returns up to {@code count} of the last lines, oldest first. */
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
