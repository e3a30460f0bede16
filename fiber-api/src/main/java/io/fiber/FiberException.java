// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * Something that Fiber was asked to do did not work. The message says what happened, the value and where it came from,
 * what was expected and what to do; it begins with a code that {@code docs/errors.md} explains.
 */
public class FiberException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String code;

    /**
     * Creates an exception.
     *
     * @param code {@code FBR-} and three digits
     * @param message the text without the code
     */
    public FiberException(String code, String message) {
        this(code, message, null);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param code {@code FBR-} and three digits
     * @param message the text without the code
     * @param cause what led to it, or null when there is nothing more to tell
     */
    public FiberException(String code, String message, @Nullable Throwable cause) {
        super(requireNonNull(code, "code") + " " + requireNonNull(message, "message"), cause);
        this.code = code;
    }

    /** Returns the code, for example {@code FBR-401}. */
    public final String code() {
        return code;
    }
}
