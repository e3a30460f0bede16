// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

/**
 * Thrown if the platform does not accept this many jobs, at once or together with the user's other jobs. It may accept
 * fewer. The session then requests fewer jobs, and a pool continues with the workers that it gets.
 */
public final class TooManyJobsException extends JobRejectedException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception; {@code message} names the limit and how many jobs were requested. */
    public TooManyJobsException(String message) {
        super(message);
    }
}
