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
            WorkerHandshake sender = worker(TERMS);
            Hello hello = sender.hello();
            Challenge challenge = next(master(TERMS).onHello(new Hello(1, JOB, flipped(hello.workerNonce(), i))));
            assertThat(failure(sender.onChallenge(challenge)).reason()).isEqualTo(Reason.BAD_PROOF);
        }
    }

    @Test
    void aFlippedBitInAnyByteOfTheChallengeFails() {
        for (int i = 0; i < 64; i++) {
            WorkerHandshake receiver = worker(TERMS);
            Challenge good = next(master(TERMS).onHello(receiver.hello()));
            Challenge bad = i < 32
                    ? new Challenge(1, flipped(good.masterNonce(), i), good.masterProof())
                    : new Challenge(1, good.masterNonce(), flipped(good.masterProof(), i - 32));
            assertThat(failure(receiver.onChallenge(bad)).reason()).isEqualTo(Reason.BAD_PROOF);
        }
    }

    @Test
    void aFlippedBitInAnyByteOfTheProofFails() {
        for (int i = 0; i < 32; i++) {
            MasterHandshake receiver = master(TERMS);
            WorkerHandshake sender = worker(TERMS);
            Proof good = next(sender.onChallenge(next(receiver.onHello(sender.hello()))));
            assertThat(failure(receiver.onProof(new Proof(flipped(good.workerProof(), i))))
                            .reason())
                    .isEqualTo(Reason.BAD_PROOF);
        }
        assertThat(jobKeys.waiting(JOB)).isPresent();
    }

    @Test
    void aFlippedBitInAnyByteOfTheWelcomeFails() {
        int length = SETTINGS.length + MasterHandshake.WELCOME_OVERHEAD_BYTES;
        for (int i = 0; i < length; i++) {
            jobKeys.forget(JOB);
            JobKey key = jobKeys.register(JOB);
            WorkerHandshake receiver = new WorkerHandshake(TERMS, JOB, key, random);
            byte[] sealed = welcome(receiver, master(TERMS)).sealed();
            assertThat(sealed).hasSize(length);
            assertThat(failure(receiver.onWelcome(new Welcome(flipped(sealed, i))))
                            .reason())
                    .isEqualTo(Reason.BAD_PROOF);
        }
    }

    @Test
    void theWelcomeShowsNeitherKeyNorSettings() {
        byte[] settings = new byte[64];
        Challenge challenge = next(master.onHello(worker.hello()));
        next(master.onProof(next(worker.onChallenge(challenge))));
        byte[] sealed = master.admit(payloadKey, settings).welcome().sealed();

        assertThat(sealed).isNotEqualTo(new byte[sealed.length]);
        assertThat(indexOf(sealed, payloadKey.copyBytes())).isEqualTo(-1);
        assertThat(indexOf(sealed, new byte[8])).isEqualTo(-1);
    }

    @Test
    void theWelcomeOfAnotherConnectionIsRefused() {
        next(worker.onChallenge(next(master.onHello(worker.hello()))));
        WorkerHandshake other = worker(TERMS);
        Welcome welcome = welcome(other, master(TERMS));
        assertThat(failure(worker.onWelcome(welcome)).reason()).isEqualTo(Reason.BAD_PROOF);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 31, 33, 64})
    void fieldsOfAnotherLengthAreMalformed(int length) {
        byte[] odd = new byte[length];
        assertThat(failure(master(TERMS).onHello(new Hello(1, JOB, odd))).reason())
                .isEqualTo(Reason.MALFORMED);

        assertThat(failure(greeted().onChallenge(new Challenge(1, odd, new byte[32])))
                        .reason())
                .isEqualTo(Reason.MALFORMED);
        assertThat(failure(greeted().onChallenge(new Challenge(1, new byte[32], odd)))
                        .reason())
                .isEqualTo(Reason.MALFORMED);

        MasterHandshake challenged = master(TERMS);
        next(challenged.onHello(worker.hello()));
        assertThat(failure(challenged.onProof(new Proof(odd))).reason()).isEqualTo(Reason.MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 63, 8_193})
    void aWelcomeOfAnImpossibleLengthIsMalformed(int length) {
        next(worker.onChallenge(next(master.onHello(worker.hello()))));
        assertThat(failure(worker.onWelcome(new Welcome(new byte[length]))).reason())
                .isEqualTo(Reason.MALFORMED);
    }
}
