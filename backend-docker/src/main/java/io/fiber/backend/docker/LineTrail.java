// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How far a stream without timestamps has been read: the number of its lines, and a hash of the last ones, by which the
 * position is found in the container's log. Only ASCII is compared, because the log driver {@code json-file} replaces
 * bytes that are not UTF-8. The driver {@code local} would keep them, but Docker 20.10 returns its lines above 16 KiB
 * without their ends. Not thread-safe.
 */
final class LineTrail {

    private static final int LAST_LINES = 64;
    private static final long FACTOR = 0x9E3779B97F4A7C15L;
    private static final long FACTOR_OF_THE_OLDEST = oldest();

    private final long[] last = new long[LAST_LINES];
    private long hash;
    private long lines;
    private long line;
    private int bytesAfterLines;

    private static long oldest() {
        long factor = 1;
        for (int i = 0; i < LAST_LINES; i++) {
            factor *= FACTOR;
        }
        return factor;
    }

    /** Adds bytes. */
    void add(byte[] piece) {
        for (byte each : piece) {
            bytesAfterLines++;
            if (each == '\n') {
                int at = (int) (lines % LAST_LINES);
                hash = hash * FACTOR + line - last[at] * FACTOR_OF_THE_OLDEST;
                last[at] = line;
                lines++;
                line = 0;
                bytesAfterLines = 0;
            } else if (each >= 0) {
                line = (line + each + 1) * FACTOR;
            }
        }
    }

    private boolean endsAs(LineTrail other) {
        return hash == other.hash && Math.min(lines, LAST_LINES) == Math.min(other.lines, LAST_LINES);
    }

    /** Returns a search for the end of what has been added. */
    Search search() {
        return new Search();
    }

    /**
     * Searches a log for the position. Docker may have removed its beginning, so it is where the last lines are; if
     * they occur more than once, the number of lines decides, and then the end of the log.
     */
    final class Search {
        private final LineTrail read = new LineTrail();
        private final LogPosition position = new LogPosition();
        private @Nullable LogPosition found;
        private boolean isExact;

        /** Adds the next entry of the log, with its timestamp. */
        void add(byte[] entry) {
            read.add(position.read(entry).orElseThrow());
            if (!isExact && read.bytesAfterLines == 0 && read.endsAs(LineTrail.this)) {
                found = position.with(bytesAfterLines);
                isExact = read.lines == lines;
            }
        }

        /** Returns the position, after the last entry was added; empty if the log does not have it. */
        Optional<LogPosition> position() {
            return lines == 0 ? Optional.of(new LogPosition().with(bytesAfterLines)) : Optional.ofNullable(found);
        }
    }
}
