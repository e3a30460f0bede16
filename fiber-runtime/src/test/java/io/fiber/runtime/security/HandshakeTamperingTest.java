// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.security.HandshakeFailure.Reason;
import io.fiber.runtime.security.HandshakeMessage.Challenge;
import io.fiber.runtime.security.HandshakeMessage.Hello;
import io.fiber.runtime.security.HandshakeMessage.Proof;
import io.fiber.runtime.security.HandshakeMessage.Welcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages of a handshake that were changed on their way, cut, or taken from another one. */
class HandshakeTamperingTest extends HandshakeScene {

    @Test
    void aFlippedBitInAnyByteOfTheHelloFails() {
        for (int i = 0; i < 32; i++) {
            WorkerEnd sender = worker(TERMS);
            Hello hello = sender.hello();
            Challenge challenge = next(master(TERMS).onHello(new Hello(1, JOB, flipped(hello.workerNonce(), i))));
            assertThat(reason(sender.onChallenge(challenge))).isEqualTo(Reason.BAD_PROOF);
        }
    }

    @Test
    void aFlippedBitInAnyByteOfTheChallengeFails() {
        for (int i = 0; i < 64; i++) {
            WorkerEnd receiver = worker(TERMS);
            Challenge good = next(master(TERMS).onHello(receiver.hello()));
            Challenge bad = i < 32
                    ? new Challenge(1, flipped(good.masterNonce(), i), good.masterProof())
                    : new Challenge(1, good.masterNonce(), flipped(good.masterProof(), i - 32));
            assertThat(reason(receiver.onChallenge(bad))).isEqualTo(Reason.BAD_PROOF);
        }
    }

    @Test
    void aFlippedBitInAnyByteOfTheProofFails() {
        for (int i = 0; i < 32; i++) {
            MasterEnd receiver = master(TERMS);
            WorkerEnd sender = worker(TERMS);
            Proof good = next(sender.onChallenge(next(receiver.onHello(sender.hello()))));
            assertThat(reason(receiver.onProof(new Proof(flipped(good.workerProof(), i)))))
                    .isEqualTo(Reason.BAD_PROOF);
        }
    }

    @Test
    void aFlippedBitInAnyByteOfTheWelcomeFails() {
        int length = SETTINGS.length + MasterHandshake.WELCOME_OVERHEAD_BYTES;
        for (int i = 0; i < length; i++) {
            WorkerEnd receiver = worker(TERMS);
            byte[] sealed = welcome(receiver, master(TERMS)).sealed();
            assertThat(sealed).hasSize(length);
            assertThat(reason(receiver.onWelcome(new Welcome(flipped(sealed, i)))))
                    .isEqualTo(Reason.BAD_PROOF);
        }
    }

    @Test
    void theWelcomeShowsNeitherKeyNorSettings() {
        byte[] sealed = welcome(worker, master(TERMS, new byte[64])).sealed();

        assertThat(sealed).isNotEqualTo(new byte[sealed.length]);
        assertThat(indexOf(sealed, payloadKey.secret().copyBytes())).isEqualTo(-1);
        assertThat(indexOf(sealed, new byte[8])).isEqualTo(-1);
    }

    @Test
    void theWelcomeOfAnotherConnectionIsRefused() {
        next(worker.onChallenge(next(master.onHello(worker.hello()))));
        WorkerEnd other = worker(TERMS);
        Welcome welcome = welcome(other, master(TERMS));
        assertThat(reason(worker.onWelcome(welcome))).isEqualTo(Reason.BAD_PROOF);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 63, 8_193})
    void aWelcomeOfAnImpossibleLengthIsMalformed(int length) {
        next(worker.onChallenge(next(master.onHello(worker.hello()))));
        assertThat(reason(worker.onWelcome(new Welcome(new byte[length])))).isEqualTo(Reason.MALFORMED);
    }
}
