// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

/**
 * A payload for transport, with the sealer and counter of its seal.
 *
 * @param bytes the bytes, sealed when {@code sealer} is not 0
 * @param sealer number of the process that sealed it; 0 when it is not sealed
 */
public record SealedPayload(Payload bytes, int sealer, long sealCounter) {

    private static final SealedPayload NONE = new SealedPayload(Payload.empty(), 0, 0);

    public static SealedPayload none() {
        return NONE;
    }

    public static SealedPayload open(Payload payload) {
        return payload.isNothing() ? NONE : new SealedPayload(payload, 0, 0);
    }

    public long length() {
        return bytes.length();
    }
}
