// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the platform will never accept this job as it is described; trying again without a change cannot succeed.
 */
public class JobRejectedException extends BackendException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception; {@code message} names the field, its value, and what was expected. */
    public JobRejectedException(String message) {
        super(message);
    }

    /** Creates an exception with the platform's own exception as its cause. */
    public JobRejectedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
