// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import java.io.IOException;

/** Says why a worker's question has no answer, with the code of the error that the program gets. */
public final class RefusedLookupException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String code;
    private final String reason;

    /**
     * Creates an exception.
     *
     * @param code {@code FBR-nnn}
     * @param reason sentences without the code
     */
    public RefusedLookupException(String code, String reason) {
        super(code + " " + reason);
        this.code = code;
        this.reason = reason;
    }

    public String code() {
        return code;
    }

    public String reason() {
        return reason;
    }
}
