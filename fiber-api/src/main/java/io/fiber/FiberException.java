// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The root of what Fiber throws: something could not be done, and the text says what, with which value from where, what
 * was expected, and what to do. Most texts begin with a code such as {@code FBR-102} that {@code docs/errors.md}
 * explains. Immutable, and serializable, since it may be thrown in one process and caught in another.
 */
public class FiberException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final String CODE_START = "FBR-";
    private static final int CODE_LENGTH = CODE_START.length() + 3;

    /**
     * Creates an exception.
     *
     * @param message what happened and what to do, beginning with its code when it has one
     */
    public FiberException(String message) {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message what happened and what to do, beginning with its code when it has one
     * @param cause what was thrown first, or null when nothing was
     */
    public FiberException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Returns the code that the message begins with, for example {@code FBR-102}; empty when it has none. */
    public final Optional<String> code() {
        String message = getMessage();
        if (message == null || message.length() < CODE_LENGTH || !message.startsWith(CODE_START)) {
            return Optional.empty();
        }
        for (int i = CODE_START.length(); i < CODE_LENGTH; i++) {
            if (message.charAt(i) < '0' || message.charAt(i) > '9') {
                return Optional.empty();
            }
        }
        return Optional.of(message.substring(0, CODE_LENGTH));
    }
}
