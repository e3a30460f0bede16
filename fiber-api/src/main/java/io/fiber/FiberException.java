// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/** Something went wrong in Fiber: its {@link #code} stands at the start of the message and is explained in the documentation. */
public class FiberException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String code;

    /** Creates an exception whose message is {@code code}, a space and {@code message}. */
    public FiberException(String code, String message) {
        super(code + " " + message);
        this.code = code;
    }

    /** Creates an exception whose message is {@code code}, a space and {@code message}. */
    public FiberException(String code, String message, Throwable cause) {
        super(code + " " + message, cause);
        this.code = code;
    }

    /** Returns the code, such as {@code FBR-201}. */
    public String code() {
        return code;
    }
}
