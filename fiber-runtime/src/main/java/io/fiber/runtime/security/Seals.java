// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import io.fiber.SerializationException;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.SealedPayload;

/**
 * Seals payloads where they are created and opens them where they are read, so that no conductor does expensive
 * cryptography. Thread-safe.
 */
public interface Seals {

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

    SealedPayload close(Payload payload);

    /**
     * Opens a payload that has arrived.
     *
     * @throws SealException if it is not what its sealer created
     */
    Payload open(SealedPayload payload) throws SealException;

    /**
     * Opens a payload that has arrived, for a caller.
     *
     * @param damaged the message for the caller if it is not what its sealer created
     * @throws SerializationException FBR-206 in that case
     */
    default PayloadInput read(SealedPayload payload, String damaged) {
        try {
            return open(payload).open();
        } catch (SealException e) {
            throw new SerializationException("FBR-206", damaged, e);
        }
    }

    static Seals none() {
        return NONE;
    }

    /** Returns seals with the key of a session, set by the worker or master with this number. */
    static Seals under(PayloadKey key, int number, Alarm alarm) {
        PayloadSeal seal = new PayloadSeal(key, number);
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

    /** Receives reports of damaged payloads, so that the peer that delivered them loses its connection. */
    @FunctionalInterface
    interface Alarm {
        /**
         * Reports a damaged payload, in the thread that found it, before a caller learns of it. Returns at once.
         *
         * @param sealer the number of the process that is said to have sealed it
         * @param what what was found, as a sentence
         */
        void onDamage(int sealer, String what);
    }
}
