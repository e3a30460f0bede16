// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * How far one stream of a container's log has been read. Docker stamps each entry, a line or a part of a long one, with
 * the time of its arrival; entries with the same time are counted. Not thread-safe.
 */
final class LogPosition {

    /** RFC 3339 has at most 35 characters: nanoseconds and the offset of a time zone. */
    private static final int LONGEST_STAMP = 40;

    private String stamp = "";

    /** How many entries with the last timestamp have been read. */
    private int readAtStamp;

    /** How many of these are still to come again. */
    private int toSkip;

    /** Whether entries that were read before may come again. */
    private boolean isReplaying;

    /** Bytes of the next entries that were read without a timestamp. */
    private int knownBytes;

    /** Returns a copy of this position from which the first {@code bytesAfter} bytes of the following entries are skipped. */
    LogPosition with(int bytesAfter) {
        LogPosition copy = new LogPosition();
        copy.stamp = stamp;
        copy.readAtStamp = readAtStamp;
        copy.knownBytes = bytesAfter;
        return copy;
    }

    /** Returns the text of an entry, without its timestamp; empty if it was read before. */
    Optional<byte[]> read(byte[] entry) {
        int text = textStart(entry);
        String at = new String(entry, 0, Math.max(0, text - 1), StandardCharsets.US_ASCII);
        if (isReplaying && wasRead(at)) {
            return Optional.empty();
        }
        isReplaying = false;
        readAtStamp = at.equals(stamp) ? readAtStamp + 1 : 1;
        stamp = at;
        int skipped = Math.min(knownBytes, entry.length - text);
        knownBytes -= skipped;
        return Optional.of(Arrays.copyOfRange(entry, text + skipped, entry.length));
    }

    /** Counts an entry that may have come again, and returns whether it has. */
    private boolean wasRead(String at) {
        if (!at.equals(stamp)) {
            return time(at).isBefore(time(stamp));
        }
        if (toSkip == 0) {
            return false;
        }
        toSkip--;
        return true;
    }

    private static int textStart(byte[] entry) {
        for (int i = 0; i < Math.min(entry.length, LONGEST_STAMP); i++) {
            if (entry[i] == ' ') {
                return i + 1;
            }
        }
        return 0;
    }

    /**
     * Has both positions expect that entries come again, and returns the option of a log that leaves out those long
     * before. One log has both streams, so what precedes the later position was read of both. Of two entries at the same
     * moment, Docker may write the later one first, so the log begins a second earlier.
     */
    static String expectReplay(LogPosition out, LogPosition err) {
        for (LogPosition each : List.of(out, err)) {
            each.isReplaying = !each.stamp.isEmpty();
            each.toSkip = each.readAtStamp;
        }
        long second = Math.max(out.second(), err.second()) - 1;
        return second > 0 ? "&since=" + second : "";
    }

    /** Returns the second of the last entry, as Docker counts it; 0 before the first one. */
    long second() {
        return stamp.isEmpty() ? 0 : time(stamp).toEpochSecond();
    }

    private static OffsetDateTime time(String stamp) {
        try {
            return OffsetDateTime.parse(stamp);
        } catch (DateTimeException e) {
            return OffsetDateTime.MIN;
        }
    }
}
