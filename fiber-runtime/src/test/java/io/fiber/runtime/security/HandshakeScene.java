// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.fiber.runtime.protocol.HeaderSeal;
import io.fiber.runtime.security.HandshakeFailure.Reason;
import io.fiber.runtime.security.HandshakeMessage.Challenge;
import io.fiber.runtime.security.HandshakeMessage.Proof;
import io.fiber.runtime.security.HandshakeMessage.Welcome;
import io.fiber.runtime.security.HandshakeTerms.Exposure;
import java.security.SecureRandom;

/** A master and a worker that can shake hands, and what may happen to their messages. */
abstract class HandshakeScene {

    static final long JOB = 42;
    static final HandshakeTerms TERMS = new HandshakeTerms(1, "abcdefghijkl", Exposure.OPEN);
    static final byte[] SETTINGS = {1, 2, 3, 4, 5};

    final SecureRandom random = new SecureRandom();
    final JobKeys jobKeys = new JobKeys(random, 10);
    final JobKey jobKey = jobKeys.register(JOB);
    final PayloadKey payloadKey = PayloadKey.random(random);
    final WorkerHandshake worker = worker(TERMS);
    final MasterHandshake master = master(TERMS);

    void assertDisagree(HandshakeTerms others) {
        WorkerHandshake other = worker(others);
        Challenge challenge = next(master.onHello(other.hello()));
        assertThat(failure(other.onChallenge(challenge)).reason()).isEqualTo(Reason.BAD_PROOF);

        byte[] proof = new Transcript(others, other.hello(), challenge.masterNonce(), jobKey).proof(Role.WORKER);
        assertThat(failure(master.onProof(new Proof(proof))).reason()).isEqualTo(Reason.BAD_PROOF);
    }

    static void assertTalk(ConnectionKeys one, ConnectionKeys other) {
        HeaderSeal first = one.seal(0);
        HeaderSeal second = other.seal(0);
        assertArrives(first, second);
        assertArrives(second, first);
    }

    private static void assertArrives(HeaderSeal from, HeaderSeal to) {
        byte[] frame = new byte[100];
        frame[0] = 77;
        assertThat(from.seal(frame, 0, 84)).isTrue();
        assertThat(to.open(frame, 0, 100)).isTrue();
        assertThat(frame[0]).isEqualTo((byte) 77);
    }

    Welcome welcome(WorkerHandshake to, MasterHandshake from) {
        next(from.onProof(next(to.onChallenge(next(from.onHello(to.hello()))))));
        return from.admit(payloadKey, SETTINGS).welcome();
    }

    WorkerHandshake greeted() {
        WorkerHandshake greeted = worker(TERMS);
        greeted.hello();
        return greeted;
    }

    WorkerHandshake worker(HandshakeTerms terms) {
        return new WorkerHandshake(terms, JOB, jobKey, random);
    }

    MasterHandshake master(HandshakeTerms terms) {
        return new MasterHandshake(terms, jobKeys, random);
    }

    static <M> M next(HandshakeStep<M> step) {
        if (step instanceof HandshakeStep.Next<M> next) {
            return next.value();
        }
        return fail("expected the handshake to go on, but got " + step);
    }

    static HandshakeFailure failure(HandshakeStep<?> step) {
        if (step instanceof HandshakeStep.Failed<?> failed) {
            return failed.failure();
        }
        return fail("expected the handshake to fail, but got " + step);
    }

    static byte[] flipped(byte[] bytes, int index) {
        byte[] changed = bytes.clone();
        changed[index] ^= (byte) (1 << (index % 8));
        return changed;
    }

    static int indexOf(byte[] bytes, byte[] wanted) {
        for (int i = 0; i <= bytes.length - wanted.length; i++) {
            if (java.util.Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
                return i;
            }
        }
        return -1;
    }
}
