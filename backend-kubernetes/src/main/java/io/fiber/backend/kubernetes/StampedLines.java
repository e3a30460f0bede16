// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fiber.backend.support.LineStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Takes the time off each line of a log, and passes the line on if it is wanted. What has no time in front was not written
 * by the pod: while a node is out of reach, the API server answers with words of its own. Not thread-safe.
 */
final class StampedLines implements Consumer<byte[]> {

    private final Predicate<Instant> wanted;
    private final Consumer<byte[]> sink;

    /** Whether the last piece was the beginning of a line that goes on. */
    private boolean goesOn;

    private boolean passed;

    /**
     * Creates it.
     *
     * @param wanted whether a line of that time is passed on; asked once for each line
     * @param sink gets lines without their times, each with its end
     */
    StampedLines(Predicate<Instant> wanted, Consumer<byte[]> sink) {
        this.wanted = wanted;
        this.sink = sink;
    }

    /** Takes a line with its end, or a part of a very long one. */
    @Override
    public void accept(byte[] line) {
        boolean rest = goesOn;
        goesOn = line.length > LineStream.LONGEST_LINE_BYTES;
        if (rest) {
            if (passed) {
                sink.accept(line);
            }
            return;
        }
        String text = new String(line, StandardCharsets.UTF_8);
        int blank = text.indexOf(' ');
        passed = blank > 0 && isWanted(text.substring(0, blank));
        if (passed) {
            sink.accept(text.substring(blank + 1).getBytes(StandardCharsets.UTF_8));
        }
    }

    private boolean isWanted(String time) {
        try {
            return wanted.test(Instant.parse(time));
        } catch (DateTimeException e) {
            return false;
        }
    }
}
