// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/**
 * Thrown if the other end of a pipe was closed or its process has ended. Either nothing more will arrive (FBR-450), or
 * what you send would not be received (FBR-451).
 */
public final class EndOfStreamException extends FiberException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception. The runtime does this. */
    public EndOfStreamException(String code, String message) {
        super(code, message);
    }
}
