// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the platform does not answer now; trying again later may succeed. It says nothing about any job: a job that
 * was running is assumed to be still running.
 */
public final class BackendUnavailableException extends BackendException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception; {@code message} says who did not answer and what was tried. */
    public BackendUnavailableException(String message) {
        super(message);
    }

    /** Creates an exception with the platform's own exception as its cause. */
    public BackendUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
