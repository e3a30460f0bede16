// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How far one stream of a container's log has been read. Docker stamps each entry, a line or a part of a long one, with
 * the time of its arrival; entries with the same time are counted. Not thread-safe.
 */
final class LogPosition {

    private static final int LONGEST_STAMP = 40;
    private static final int BLANK = ' ';

    private String stamp = "";
    private int count;

    /** How many entries of the last timestamp are read a second time. */
    private int known;

    private boolean isBehind;

    /** Returns an independent copy of this position. */
    LogPosition copy() {
        LogPosition copy = new LogPosition();
        copy.stamp = stamp;
        copy.count = count;
        return copy;
    }

    /** Expects that the next entries start somewhere before the last one. */
    void rewind() {
        isBehind = !stamp.isEmpty();
        known = count;
    }

    /** Returns the text of an entry, without its timestamp; empty if it was read before. */
    Optional<byte[]> read(byte[] entry) {
        int blank = indexOfBlank(entry);
        String at = new String(entry, 0, blank, StandardCharsets.US_ASCII);
        if (isBehind && wasRead(at)) {
            return Optional.empty();
        }
        isBehind = false;
        count = at.equals(stamp) ? count + 1 : 1;
        stamp = at;
        return Optional.of(blank == 0 ? entry : Arrays.copyOfRange(entry, blank + 1, entry.length));
    }

    private boolean wasRead(String at) {
        if (at.equals(stamp)) {
            return known-- > 0;
        }
        return time(at).isBefore(time(stamp));
    }

    /** Returns the second of the last entry, as Docker counts it; empty before the first one. */
    OptionalInt second() {
        return stamp.isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of((int) time(stamp).toEpochSecond());
    }

    private static int indexOfBlank(byte[] entry) {
        for (int i = 0; i < entry.length && i < LONGEST_STAMP; i++) {
            if (entry[i] == BLANK) {
                return i;
            }
        }
        return 0;
    }

    private static OffsetDateTime time(String stamp) {
        try {
            return OffsetDateTime.parse(stamp);
        } catch (DateTimeException e) {
            return OffsetDateTime.MIN;
        }
    }
}
