// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

/** The reason why something may not be read; an object stream makes it the cause of what it throws. */
final class RefusedInputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String code;

    /** Creates a refusal for a {@code reason} that is a sentence without its full stop. */
    RefusedInputException(String code, String reason) {
        super(reason, null, false, false);
        this.code = code;
    }

    String code() {
        return code;
    }
}
