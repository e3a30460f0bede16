// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

/**
 * The platform does not take as many jobs as these, at once or beside those that it has of this user: of fewer, some may be
 * taken. A session then asks for fewer, and a pool goes on with the workers that it gets.
 */
public final class TooManyJobsException extends JobRejectedException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception; {@code message} names the limit and what was asked for. */
    public TooManyJobsException(String message) {
        super(message);
    }
}
