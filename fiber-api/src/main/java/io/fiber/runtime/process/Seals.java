// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.runtime.secure.PayloadKey;
import io.fiber.runtime.secure.PayloadOpener;
import io.fiber.runtime.secure.PayloadSealer;
import io.fiber.runtime.secure.SealException;
import io.fiber.runtime.wire.Parcel;
import io.fiber.runtime.wire.Payload;

/**
 * Seals payloads where they are made and opens them where they are read, so that no conductor does heavy crypto.
 * Thread-safe.
 */
public interface Seals {

    /** Closes a payload that is about to travel. */
    Parcel close(Payload payload);

    /**
     * Opens a parcel that has arrived.
     *
     * @throws SealException when it is not what its sealer made
     */
    Payload open(Parcel parcel) throws SealException;

    /** Seals for links that nobody else can reach: nothing is sealed. */
    Seals NONE = new Seals() {
        @Override
        public Parcel close(Payload payload) {
            return Parcel.open(payload);
        }

        @Override
        public Payload open(Parcel parcel) {
            return parcel.payload();
        }
    };

    /** Returns {@link #NONE}. */
    static Seals none() {
        return NONE;
    }

    /** Returns seals under the key of a session, set by the process of this number. */
    static Seals under(PayloadKey key, int processNumber) {
        PayloadSealer sealer = new PayloadSealer(key, processNumber);
        PayloadOpener opener = new PayloadOpener(key);
        return new Seals() {
            @Override
            public Parcel close(Payload payload) {
                try {
                    return payload.length() == 0 ? Parcel.none() : sealer.seal(payload);
                } catch (SealException e) {
                    throw new IllegalStateException(e);
                }
            }

            @Override
            public Payload open(Parcel parcel) throws SealException {
                return parcel.length() == 0 ? Payload.empty() : opener.open(parcel);
            }
        };
    }
}
