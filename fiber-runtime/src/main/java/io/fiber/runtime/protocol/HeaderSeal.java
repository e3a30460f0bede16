// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

/**
 * Seals and opens the headers of frames, or whole frames of a direct link, in both directions of a stream. One thread
 * at a time seals, and one opens.
 */
public interface HeaderSeal {

    /** Returns how many bytes sealing adds. */
    int overheadBytes();

    /**
     * Seals {@code length} bytes at {@code offset} in place and appends {@link #overheadBytes} bytes.
     *
     * @return false if the key is used up and the connection must end
     */
    boolean seal(byte[] bytes, int offset, int length);

    /**
     * Opens {@code length} bytes in place, including the overhead.
     *
     * @return false if the bytes are not what the peer sealed next; the connection must end
     */
    boolean open(byte[] bytes, int offset, int length);
}
