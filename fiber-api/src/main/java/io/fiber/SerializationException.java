// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/**
 * A function, an argument or a result could not be turned into bytes or back.
 *
 * <p>The code says which: FBR-201 cannot be serialized, FBR-202 a class is missing on the reading side, FBR-203 a class or
 * lambda differs between the sides, FBR-204 a class is not allowed or a limit of what may be read was passed, FBR-205
 * larger than a payload may be, FBR-206 the bytes are damaged or refused by the class that reads
 * them, FBR-208 larger than the heap of a process on its way has room for.
 */
public final class SerializationException extends FiberException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception whose message is {@code code}, a space and {@code message}. */
    public SerializationException(String code, String message) {
        super(code, message);
    }

    /** Creates an exception whose message is {@code code}, a space and {@code message}. */
    public SerializationException(String code, String message, Throwable cause) {
        super(code, message, cause);
    }
}
