// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization.functions;

/** The reason why an object may not be read. An object stream makes it the cause of its exception. */
public class RefusedInputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String code;

    /** Creates an exception with a reason, which is a sentence without its full stop. */
    public RefusedInputException(String code, String reason) {
        super(reason, null, false, false);
        this.code = code;
    }

    public final String code() {
        return code;
    }
}
