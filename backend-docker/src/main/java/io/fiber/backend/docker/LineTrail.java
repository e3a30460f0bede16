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

    /**
     * More lines tell repeated output apart better; fewer are more likely to be in a log whose beginning Docker has
     * removed.
     */
    private static final int LAST_LINES = 64;

    /** 2^64 divided by the golden ratio, rounded to an odd number: multiplying by it spreads the bits. */
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private static final long FACTOR_OF_LEAVING_LINE = factorOfLeavingLine();

    private final long[] lastLineHashes = new long[LAST_LINES];

    /**
     * Rolling hash of the last lines. Each new line multiplies the older ones by {@link #FACTOR}. The line that leaves
     * has been multiplied once for each of the last lines, so that power times its hash is subtracted.
     */
    private long hash;

    private long lineCount;
    private long lineHash;
    private int bytesAfterLines;

    private static long factorOfLeavingLine() {
        long factor = 1;
        for (int i = 0; i < LAST_LINES; i++) {
            factor *= FACTOR;
        }
        return factor;
    }

    /** Adds bytes of the stream; those that are not ASCII are counted but not compared. */
    void add(byte[] piece) {
        for (byte each : piece) {
            bytesAfterLines++;
            if (each == '\n') {
                int at = (int) (lineCount % LAST_LINES);
                hash = hash * FACTOR + lineHash - lastLineHashes[at] * FACTOR_OF_LEAVING_LINE;
                lastLineHashes[at] = lineHash;
                lineCount++;
                lineHash = 0;
                bytesAfterLines = 0;
            } else if (each >= 0) {
                lineHash = (lineHash + each + 1) * FACTOR;
            }
        }
    }

    private boolean endsLike(LineTrail other) {
        return hash == other.hash && Math.min(lineCount, LAST_LINES) == Math.min(other.lineCount, LAST_LINES);
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
            if (!isExact && read.bytesAfterLines == 0 && read.endsLike(LineTrail.this)) {
                found = position.with(bytesAfterLines);
                isExact = read.lineCount == lineCount;
            }
        }

        /** Returns the position, after the last entry was added; empty if the log does not have it. */
        Optional<LogPosition> position() {
            return lineCount == 0 ? Optional.of(new LogPosition().with(bytesAfterLines)) : Optional.ofNullable(found);
        }
    }
}
