// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a backend could not do what was requested. The subclasses say whether trying again may help, so callers
 * need not parse the message.
 *
 * <p>Codes that begin with {@code FBR} are Fiber's own. The messages of other backends have no code, or codes with a
 * prefix of their own, such as {@code PBS-17}. The one code that the contract requires, FBR-106, is in the message of
 * {@link Submission#requireOffered}.
 */
public class BackendException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final String GENERAL = "FBR-139";

    /**
     * Creates an exception. If the message has no code, FBR-139 is put in front.
     *
     * @param message what happened, the value and where it came from, what was expected, what to do
     */
    public BackendException(String message) {
        this(message, null);
    }

    /**
     * Creates an exception with a cause. If the message has no code, FBR-139 is put in front.
     *
     * @param message what happened, the value and where it came from, what was expected, what to do
     * @param cause the platform's own exception, or null if there is none
     */
    public BackendException(String message, @Nullable Throwable cause) {
        super(MessageCode.of(message).isPresent() ? message : GENERAL + " " + message, cause);
    }

    /**
     * Returns the code with which the message begins: for example {@code FBR-106}, which {@code docs/errors.md}
     * explains, or a code of the backend's own.
     */
    public final String code() {
        return MessageCode.of(String.valueOf(getMessage())).orElse(GENERAL);
    }
}
