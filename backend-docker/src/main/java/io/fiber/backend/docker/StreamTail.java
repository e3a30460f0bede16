// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import java.util.Arrays;

/**
 * How far a stream without timestamps has been read: the number of bytes, and the last of them, by which the position
 * is found in the container's log. Not thread-safe.
 */
final class StreamTail {

    private static final int KEPT_BYTES = 8 * 1024;
    private static final int FIRST_BYTES = 512;

    private byte[] last = new byte[0];
    private int length;
    private long taken;

    /** Adds bytes. */
    void add(byte[] piece) {
        taken += piece.length;
        int from = Math.max(0, piece.length - KEPT_BYTES);
        int more = piece.length - from;
        int dropped = Math.max(0, length + more - KEPT_BYTES);
        System.arraycopy(last, dropped, last, 0, length - dropped);
        length -= dropped;
        if (length + more > last.length) {
            last = Arrays.copyOf(last, Math.min(KEPT_BYTES, Math.max(FIRST_BYTES, 2 * (length + more))));
        }
        System.arraycopy(piece, from, last, length, more);
        length += more;
    }

    /** Returns a search for the end of what has arrived. */
    LogSearch search() {
        return new LogSearch(Arrays.copyOf(last, length), taken);
    }
}
