// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The search in a container's log for the place up to which a stream was read while it had no stamps. Docker may have removed the
 * beginning of the log, so the place is where the last bytes of the stream are. Where they are more than once, the number of bytes
 * before them decides, then the end of the log. Not thread-safe.
 */
final class LogSearch {

    private final byte[] wanted;

    /** For each length of what has matched, how much of it still matches when the next byte does not. */
    private final int[] shorter;

    private final long taken;
    private final LogPosition position = new LogPosition();
    private LogPosition before = new LogPosition();
    private long read;
    private int matched;
    private @Nullable Place first;
    private @Nullable Place counted;
    private @Nullable Place last;

    /**
     * A place in a log.
     *
     * @param position the last entry that was read as a whole
     * @param known how many bytes of the next one were read, too
     */
    record Place(LogPosition position, int known) {}

    /**
     * Creates a search.
     *
     * @param wanted the last bytes of the stream
     * @param taken how many bytes of the stream came, these included
     */
    LogSearch(byte[] wanted, long taken) {
        this.wanted = wanted;
        this.taken = taken;
        this.shorter = new int[wanted.length + 1];
        for (int i = 1, length = 0; i < wanted.length; i++) {
            while (length > 0 && wanted[i] != wanted[length]) {
                length = shorter[length];
            }
            if (wanted[i] == wanted[length]) {
                length++;
            }
            shorter[i + 1] = length;
        }
    }

    /** Takes the next entry of the log, with its stamp. */
    void take(byte[] entry) {
        before = position.copy();
        byte[] piece = position.read(entry).orElseThrow();
        last = null;
        for (int i = 0; i < piece.length; i++) {
            read++;
            if (isFoundWith(piece[i]) && (first == null || read == taken || i == piece.length - 1)) {
                found(i + 1, piece.length);
            }
        }
    }

    private boolean isFoundWith(byte next) {
        if (wanted.length == 0) {
            return false;
        }
        while (matched > 0 && (matched == wanted.length || wanted[matched] != next)) {
            matched = shorter[matched];
        }
        if (wanted[matched] == next) {
            matched++;
        }
        return matched == wanted.length;
    }

    private void found(int bytes, int length) {
        Place place = bytes == length ? new Place(position.copy(), 0) : new Place(before, bytes);
        if (first == null) {
            first = place;
        }
        if (read == taken) {
            counted = place;
        }
        if (bytes == length) {
            last = place;
        }
    }

    /** Returns the place, after the last entry was taken; nothing when the log does not have it. */
    Optional<Place> place() {
        if (taken == 0) {
            return Optional.of(new Place(new LogPosition(), 0));
        }
        return Optional.ofNullable(counted).or(() -> Optional.ofNullable(last)).or(() -> Optional.ofNullable(first));
    }

    /** Tells whether the log has nothing behind the place. */
    boolean isAtEnd() {
        return taken == 0 ? read == 0 : last != null && (counted == null || read == taken);
    }
}
