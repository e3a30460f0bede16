// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.fiber.runtime.protocol.HeaderSeal;
import io.fiber.runtime.security.HandshakeFailure.Reason;
import io.fiber.runtime.security.HandshakeMessage.Challenge;
import io.fiber.runtime.security.HandshakeMessage.Proof;
import io.fiber.runtime.security.HandshakeMessage.Welcome;
import java.security.SecureRandom;
import java.util.Arrays;

/** A master and a worker that can shake hands, and what may happen to their messages. */
abstract class HandshakeScene {

    static final long JOB = 42;
    static final HandshakeTerms TERMS = new HandshakeTerms(1, "abcdefghijkl", JOB, false);
    static final byte[] SETTINGS = {1, 2, 3, 4, 5};

    final SecureRandom random = new SecureRandom();
    final JobKey jobKey = JobKey.random(random);
    final PayloadKey payloadKey = PayloadKey.random(random);
    final WorkerEnd worker = worker(TERMS);
    final MasterEnd master = master(TERMS);

    void assertDisagree(HandshakeTerms others) {
        WorkerEnd other = worker(others);
        Challenge challenge = next(master.onHello(other.hello()));
        assertThat(reason(other.onChallenge(challenge))).isEqualTo(Reason.BAD_PROOF);

        byte[] proof =
                new Transcript(others, other.hello().workerNonce(), challenge.masterNonce(), jobKey).proof(Role.WORKER);
        assertThat(reason(master.onProof(new Proof(proof)))).isEqualTo(Reason.BAD_PROOF);
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

    Welcome welcome(WorkerEnd to, MasterEnd from) {
        return next(from.onProof(next(to.onChallenge(next(from.onHello(to.hello()))))));
    }

    WorkerEnd greeted() {
        WorkerEnd greeted = worker(TERMS);
        greeted.hello();
        return greeted;
    }

    WorkerEnd worker(HandshakeTerms terms) {
        return new WorkerEnd(terms, jobKey, random);
    }

    MasterEnd master(HandshakeTerms terms) {
        return master(terms, SETTINGS);
    }

    MasterEnd master(HandshakeTerms terms, byte[] settings) {
        return new MasterEnd(new MasterHandshake(terms, jobKey, random), payloadKey, settings);
    }

    static <M> M next(HandshakeStep<M> step) {
        if (step instanceof HandshakeStep.Next<M> next) {
            return next.value();
        }
        return fail("expected the handshake to go on, but got " + step);
    }

    /** Returns the reason that was told. */
    static Reason reason(HandshakeStep<?> step) {
        String why = failure(step);
        return Arrays.stream(Reason.values())
                .filter(reason -> why.contains("[reason=" + reason + ","))
                .findFirst()
                .orElseThrow(() -> new AssertionError(why));
    }

    static String failure(HandshakeStep<?> step) {
        if (step instanceof HandshakeStep.Failed<?> failed) {
            return failed.why();
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
            if (Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
                return i;
            }
        }
        return -1;
    }
}
