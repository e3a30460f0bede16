// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import java.util.OptionalLong;

/**
 * How long the terms of a kind of links may be. All lengths are powers of two from 64 KiB to 64 MiB.
 *
 * @param least the length if memory is short
 * @param most the length if there is plenty of memory
 * @param links for how many links there should be room
 */
record TermLength(int least, int most, int links) {

    static final int SMALLEST = 64 * 1024;
    static final int LARGEST = 64 * 1024 * 1024;

    /** A link has a log for each direction. */
    private static final int LOGS_OF_A_LINK = 2;

    /** The other half is left to other links and to other programs. */
    private static final int SHARES = 2;

    /** Returns this, or the length that was chosen. */
    TermLength or(OptionalLong chosen) {
        return chosen.isPresent() ? new TermLength(check(chosen.getAsLong()), check(chosen.getAsLong()), links) : this;
    }

    /** Returns this with no lengths below the one given. */
    TermLength atLeast(int bytes) {
        return new TermLength(Math.max(least, bytes), Math.max(most, bytes), links);
    }

    /** Returns the length for a link if this much memory is free. */
    int fitting(long freeBytes) {
        int length = most;
        while (length > least && links * linkBytes(length) > freeBytes / SHARES) {
            length >>= 1;
        }
        return length;
    }

    /** Returns the shared memory of a link at the least length. */
    long leastLinkBytes() {
        return linkBytes(least);
    }

    private static long linkBytes(int termLengthBytes) {
        return LOGS_OF_A_LINK * LinkShape.logBytes(termLengthBytes);
    }

    /**
     * Returns the length as an int.
     *
     * @throws IllegalArgumentException if it is not a valid length
     */
    static int check(long bytes) {
        if (bytes < SMALLEST || bytes > LARGEST || Long.bitCount(bytes) != 1) {
            throw new IllegalArgumentException(
                    "Term length " + bytes + " bytes must be a power of two from " + SMALLEST + " to " + LARGEST);
        }
        return (int) bytes;
    }
}
