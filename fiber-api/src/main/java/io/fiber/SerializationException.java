// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/**
 * Thrown if a function, an argument or a result cannot be serialized or deserialized.
 *
 * <p>The code gives the reason:
 *
 * <ul>
 *   <li>FBR-201: it cannot be serialized
 *   <li>FBR-202: a class is missing where it is read
 *   <li>FBR-203: a class or lambda differs between the two sides
 *   <li>FBR-204: a class is not allowed, or a limit on what may be read was exceeded
 *   <li>FBR-205: it is larger than a payload may be
 *   <li>FBR-206: the bytes are damaged, or the class that reads them rejects them
 *   <li>FBR-208: it does not fit into the heap
 * </ul>
 */
public final class SerializationException extends FiberException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception whose message is {@code code}, a space and {@code message}. The runtime does this. */
    public SerializationException(String code, String message) {
        super(code, message);
    }

    /**
     * Creates an exception with a cause, whose message is {@code code}, a space and {@code message}. The runtime does
     * this.
     */
    public SerializationException(String code, String message, Throwable cause) {
        super(code, message, cause);
    }
}
