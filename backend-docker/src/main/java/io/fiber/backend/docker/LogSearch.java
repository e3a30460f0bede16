// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Searches a container's log for the position up to which a stream was read without timestamps. Docker may have removed
 * the beginning of the log, so the position is where the last bytes of the stream are. If they occur more than once,
 * the number of bytes before them decides, and then the end of the log. Not thread-safe.
 */
final class LogSearch {

    private final byte[] wanted;

    /** For each length of a match, how much of it still matches if the next byte does not. */
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
     * A position in a log.
     *
     * @param position the last entry that was completely read
     * @param known how many bytes of the next entry were read as well
     */
    record Place(LogPosition position, int known) {}

    /**
     * Creates a search.
     *
     * @param wanted the last bytes of the stream
     * @param taken how many bytes of the stream have arrived, including these
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

    /** Adds the next entry of the log, with its timestamp. */
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

    /** Returns the position, after the last entry was added; empty if the log does not have it. */
    Optional<Place> place() {
        if (taken == 0) {
            return Optional.of(new Place(new LogPosition(), 0));
        }
        return Optional.ofNullable(counted).or(() -> Optional.ofNullable(last)).or(() -> Optional.ofNullable(first));
    }

    /** Returns whether the log has nothing after the position. */
    boolean isAtEnd() {
        return taken == 0 ? read == 0 : last != null && (counted == null || read == taken);
    }
}
