// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A backend could not do what was asked. The subclasses say whether asking again may help, so a caller need not read
 * the text to find out.
 *
 * <p>Numbers of {@code FBR} are Fiber's own: other backends' texts have none, or codes with a prefix of their own, as
 * {@code PBS-17}. The one that the contract asks for, FBR-106, is in the text of {@link Submission#requireOffered}.
 */
public class BackendException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final Pattern CODE = Pattern.compile("[A-Z][A-Z0-9]*-\\d+ .*", Pattern.DOTALL);
    private static final String GENERAL = "FBR-139";

    /**
     * Creates an exception. A message without a code gets FBR-139 in front.
     *
     * @param message what happened, the value and where it came from, what was expected, what to do
     */
    public BackendException(String message) {
        this(message, null);
    }

    /**
     * Creates an exception with a cause. A message without a code gets FBR-139 in front.
     *
     * @param message what happened, the value and where it came from, what was expected, what to do
     * @param cause the platform's own exception, or null when there is none
     */
    public BackendException(String message, @Nullable Throwable cause) {
        super(CODE.matcher(message).matches() ? message : GENERAL + " " + message, cause);
    }

    /**
     * Returns the code with which the message begins: {@code FBR-106}, which {@code docs/errors.md} explains, or one of the
     * backend's own.
     */
    public final String code() {
        String message = String.valueOf(getMessage());
        return message.substring(0, message.indexOf(' '));
    }
}
