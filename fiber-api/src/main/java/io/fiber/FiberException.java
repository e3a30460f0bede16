// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import org.jspecify.annotations.Nullable;

/**
 * The base class of Fiber's own exceptions. If a platform failed, the cause is the backend's {@link
 * io.fiber.spi.backend.BackendException}. Each exception has a code, {@code FBR-nnn}, with which its message begins and
 * which {@code docs/errors.md} explains. The message says what happened, the value and where it came from, what was
 * expected, and what to do.
 */
public class FiberException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final String CODE_START = "FBR-";
    private static final int CODE_LENGTH = CODE_START.length() + 3;

    /**
     * Creates an exception.
     *
     * @param message begins with the code
     * @throws IllegalArgumentException if it does not
     */
    public FiberException(String message) {
        this(message, (Throwable) null);
    }

    /**
     * Creates an exception with a cause, which is null if there is none.
     *
     * @param message begins with the code
     */
    public FiberException(String message, @Nullable Throwable cause) {
        super(requireCode(message), cause);
    }

    /**
     * Creates an exception.
     *
     * @param code {@code FBR-nnn}, which is put in front of the message
     */
    public FiberException(String code, String message) {
        this(code + " " + message, (Throwable) null);
    }

    /**
     * Creates an exception with a cause, which is null if there is none.
     *
     * @param code {@code FBR-nnn}, which is put in front of the message
     */
    public FiberException(String code, String message, @Nullable Throwable cause) {
        this(code + " " + message, cause);
    }

    /** Returns the code, for example {@code FBR-102}. */
    public final String code() {
        return String.valueOf(getMessage()).substring(0, CODE_LENGTH);
    }

    private static String requireCode(String message) {
        boolean coded = message.length() > CODE_LENGTH && message.startsWith(CODE_START);
        for (int i = CODE_START.length(); coded && i < CODE_LENGTH; i++) {
            coded = message.charAt(i) >= '0' && message.charAt(i) <= '9';
        }
        if (!coded) {
            throw new IllegalArgumentException("The message '" + message + "' does not begin with a code FBR-nnn.");
        }
        return message;
    }
}
