// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import io.fiber.SerializationException;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.SealedPayload;

/**
 * Seals payloads where they are made and opens them where they are read, so that no conductor does heavy crypto.
 * Thread-safe.
 */
public interface Seals {

    SealedPayload close(Payload payload);

    /**
     * Opens a payload that has arrived.
     *
     * @throws SealException when it is not what its sealer made
     */
    Payload open(SealedPayload payload) throws SealException;

    /**
     * Opens a payload that has arrived, for a caller.
     *
     * @param damaged what the caller is told when it is not what its sealer made
     * @throws SerializationException FBR-206 then
     */
    default PayloadInput read(SealedPayload payload, String damaged) {
        try {
            return open(payload).open();
        } catch (SealException e) {
            throw new SerializationException("FBR-206", damaged, e);
        }
    }

    /** Seals for links that no other user can reach: nothing is sealed. */
    Seals NONE = new Seals() {
        @Override
        public SealedPayload close(Payload payload) {
            return SealedPayload.open(payload);
        }

        @Override
        public Payload open(SealedPayload payload) {
            return payload.bytes();
        }
    };

    static Seals none() {
        return NONE;
    }

    /** Is told of payloads that were damaged, so that the peer that delivered them loses its connection. */
    @FunctionalInterface
    interface Alarm {
        /**
         * Called by the thread that found it, before a caller learns of it; returns at once.
         *
         * @param sealer the number of the process that is said to have sealed it
         * @param what what was found, a sentence
         */
        void onDamage(int sealer, String what);
    }

    /** Returns seals under the key of a session, set by the process of this number. */
    static Seals under(PayloadKey key, int processNumber, Alarm alarm) {
        PayloadSeal seal = new PayloadSeal(key, processNumber);
        return new Seals() {
            @Override
            public SealedPayload close(Payload payload) {
                try {
                    return payload.length() == 0 ? SealedPayload.none() : seal.seal(payload);
                } catch (SealException e) {
                    throw new IllegalStateException(e);
                }
            }

            @Override
            public Payload open(SealedPayload payload) throws SealException {
                try {
                    return payload.length() == 0 ? payload.bytes().requireKept() : seal.open(payload);
                } catch (SealException e) {
                    alarm.onDamage(payload.sealer(), String.valueOf(e.getMessage()));
                    throw e;
                }
            }
        };
    }
}
