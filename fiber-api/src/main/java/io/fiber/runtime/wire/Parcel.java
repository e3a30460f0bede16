// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.wire;

/**
 * A payload as it travels, with the name of its seal.
 *
 * @param payload the bytes, sealed when {@code sealer} is not 0
 * @param sealer number of the process that sealed it; 0 when it is not sealed
 * @param sealCounter counter of the seal
 */
public record Parcel(Payload payload, int sealer, long sealCounter) {

    private static final Parcel NONE = new Parcel(Payload.empty(), 0, 0);

    /** Returns a parcel of nothing. */
    public static Parcel none() {
        return NONE;
    }

    /** Returns a parcel without a seal. */
    public static Parcel open(Payload payload) {
        return payload.isNothing() ? NONE : new Parcel(payload, 0, 0);
    }

    /** Returns how many bytes travel. */
    public long length() {
        return payload.length();
    }
}
