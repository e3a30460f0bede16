// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

/** More was written than a payload may hold. */
public final class PayloadLimitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long limitBytes;

    PayloadLimitException(long limitBytes) {
        super("More than " + limitBytes + " bytes.");
        this.limitBytes = limitBytes;
    }

    public long limitBytes() {
        return limitBytes;
    }
}
