// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

/** The reason why something may not be read; an object stream makes it the cause of what it throws. */
final class RefusedTypeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RefusedTypeException(String reason) {
        super(reason, null, false, false);
    }

    /** Returns the reason, a sentence without its full stop. */
    String reason() {
        return String.valueOf(getMessage());
    }
}
