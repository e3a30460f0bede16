// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/**
 * The other end of a pipe was closed, or its process has ended: nothing more comes (FBR-450), or what is sent is not
 * received (FBR-451).
 */
public final class EndOfStreamException extends FiberException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception; the runtime does this. */
    public EndOfStreamException(String code, String message) {
        super(code, message);
    }
}
