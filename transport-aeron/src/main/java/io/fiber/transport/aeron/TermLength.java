// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

/** Checks the length of a term: a power of two from 64 KiB to 64 MiB. */
final class TermLength {

    static final int SMALLEST = 64 * 1024;
    static final int LARGEST = 64 * 1024 * 1024;

    private TermLength() {}

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
