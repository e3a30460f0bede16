// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

/**
 * A payload for transport, with the sealer and counter of its seal.
 *
 * @param bytes the bytes, sealed if {@link #isSealed}
 * @param sealer number of the worker that sealed it, or {@link Protocol#MASTER_NUMBER}; negative if it is not sealed
 */
public record SealedPayload(Payload bytes, int sealer, long sealCounter) {

    /** Stands for the sealer of a payload that is not sealed. */
    private static final int NOT_SEALED = -1;

    private static final SealedPayload NONE = new SealedPayload(Payload.empty(), NOT_SEALED, 0);

    public static SealedPayload none() {
        return NONE;
    }

    public static SealedPayload open(Payload payload) {
        return payload.isNothing() ? NONE : new SealedPayload(payload, NOT_SEALED, 0);
    }

    public boolean isSealed() {
        return sealer >= 0;
    }

    public long length() {
        return bytes.length();
    }
}
