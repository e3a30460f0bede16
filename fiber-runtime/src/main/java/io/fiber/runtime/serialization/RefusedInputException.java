// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

/** The reason why an object may not be read. An object stream makes it the cause of its exception. */
final class RefusedInputException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String code;
    private final boolean isTooDeep;

    /** Creates an exception with a reason, which is a sentence without its full stop. */
    RefusedInputException(String code, String reason) {
        this(code, reason, false);
    }

    private RefusedInputException(String code, String reason, boolean isTooDeep) {
        super(reason, null, false, false);
        this.code = code;
        this.isTooDeep = isTooDeep;
    }

    /** Returns an exception for objects that are nested too deeply for the thread that reads them. */
    static RefusedInputException ofDepth() {
        String reason = "objects are nested deeper than " + DeepStack.describe()
                + "; send a list of the parts instead of a chain of objects";
        return new RefusedInputException("FBR-204", reason, true);
    }

    boolean isTooDeep() {
        return isTooDeep;
    }

    String code() {
        return code;
    }
}
