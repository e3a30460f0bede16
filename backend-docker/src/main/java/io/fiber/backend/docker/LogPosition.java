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

    private static final int LONGEST_STAMP = 40;

    private String stamp = "";

    /** How many entries with the last timestamp have been read, and how many of them are to come a second time. */
    private int count;

    private int known;
    private boolean isBehind;

    /** Bytes of the next entries that were read without a timestamp. */
    private int knownBytes;

    /** Returns this position, as far as entries go, behind which some bytes are known as well. */
    LogPosition with(int bytesAfter) {
        LogPosition copy = new LogPosition();
        copy.stamp = stamp;
        copy.count = count;
        copy.knownBytes = bytesAfter;
        return copy;
    }

    /** Returns the text of an entry, without its timestamp; empty if it was read before. */
    Optional<byte[]> read(byte[] entry) {
        int text = beginOfText(entry);
        String at = new String(entry, 0, Math.max(0, text - 1), StandardCharsets.US_ASCII);
        if (isBehind && (at.equals(stamp) ? known-- > 0 : time(at).isBefore(time(stamp)))) {
            return Optional.empty();
        }
        isBehind = false;
        count = at.equals(stamp) ? count + 1 : 1;
        stamp = at;
        int skipped = Math.min(knownBytes, entry.length - text);
        knownBytes -= skipped;
        return Optional.of(Arrays.copyOfRange(entry, text + skipped, entry.length));
    }

    private static int beginOfText(byte[] entry) {
        for (int i = 0; i < Math.min(entry.length, LONGEST_STAMP); i++) {
            if (entry[i] == ' ') {
                return i + 1;
            }
        }
        return 0;
    }

    /**
     * Expects that entries come again, and returns the option of a log that leaves out those long before. Of two entries
     * at the same moment, Docker may write the later one first.
     */
    static String continuation(LogPosition out, LogPosition err) {
        for (LogPosition each : List.of(out, err)) {
            each.isBehind = !each.stamp.isEmpty();
            each.known = each.count;
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
