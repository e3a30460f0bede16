// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.runtime.security.HandshakeFailure.Reason;
import io.fiber.runtime.security.HandshakeMessage.Challenge;
import io.fiber.runtime.security.HandshakeMessage.Hello;
import io.fiber.runtime.security.HandshakeMessage.Proof;
import io.fiber.runtime.security.HandshakeMessage.VersionRefusal;
import io.fiber.runtime.security.HandshakeMessage.Welcome;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class HandshakeTest extends HandshakeScene {

    @Test
    void theHolderOfTheKeyIsLetInAndGetsPayloadKeyAndSettings() {
        Challenge challenge = next(master.onHello(worker.hello()));
        Proof proof = next(worker.onChallenge(challenge));
        Admission admission = next(worker.onWelcome(next(master.onProof(proof))));

        assertThat(admission.payloadKey()).isEqualTo(payloadKey);
        assertThat(admission.settings()).isEqualTo(SETTINGS);
        assertTalk(master.keys(), admission.keys());
    }

    @Test
    void differentVersionsEndTheHandshakeBeforeASecretIsUsed() {
        MasterEnd newer = master(new HandshakeTerms(2, TERMS.sessionId(), JOB, false));

        assertThat(failure(newer.onHello(new Hello(1, JOB, new byte[32]))))
                .isEqualTo("other version: " + new HandshakeFailure(Reason.VERSION, 2, OptionalInt.of(1)));
        assertThat(newer.posted()).isEqualTo(new VersionRefusal(2));
        worker.hello();
        assertThat(failure(worker.onVersionRefusal(new VersionRefusal(2))))
                .isEqualTo(new HandshakeFailure(Reason.VERSION, 1, OptionalInt.of(2)).toString());
    }

    @Test
    void aVersionRefusalThatNamesTheSameVersionIsMalformed() {
        worker.hello();
        assertThat(reason(worker.onVersionRefusal(new VersionRefusal(1)))).isEqualTo(Reason.MALFORMED);
    }

    @Test
    void aVersionRefusalAfterTheChallengeIsOutOfOrder() {
        next(worker.onChallenge(next(master.onHello(worker.hello()))));
        assertThat(reason(worker.onVersionRefusal(new VersionRefusal(2)))).isEqualTo(Reason.OUT_OF_ORDER);
    }

    @Test
    void aChallengeInAnotherVersionIsRefused() {
        Challenge challenge = next(master.onHello(worker.hello()));
        assertThat(failure(worker.onChallenge(new Challenge(2, challenge.masterNonce(), challenge.masterProof()))))
                .isEqualTo(new HandshakeFailure(Reason.VERSION, 1, OptionalInt.of(2)).toString());
    }

    @Test
    void aDowngradeOnTheWayFailsTheProof() {
        // Both ends speak 2; on the way the hello is changed to 1 and a master that still speaks 1 answers.
        WorkerEnd newWorker = worker(new HandshakeTerms(2, TERMS.sessionId(), JOB, false));
        Hello hello = newWorker.hello();
        Challenge challenge = next(master.onHello(new Hello(1, hello.number(), hello.workerNonce())));

        Challenge changedBack = new Challenge(2, challenge.masterNonce(), challenge.masterProof());
        assertThat(reason(newWorker.onChallenge(changedBack))).isEqualTo(Reason.BAD_PROOF);
    }

    @Test
    void anotherNumberThanThatOfTheLinkIsRefusedWithoutAnAnswer() {
        assertThat(failure(master.onHello(new Hello(1, 99, new byte[32]))))
                .isEqualTo("it claims number 99 on the link of number 42");
        assertThat(master.posted()).isNull();
    }

    @Test
    void aKeyThatWasUsedIsNotAcceptedAgain() {
        Proof proof = next(worker.onChallenge(next(master.onHello(worker.hello()))));
        next(master.onProof(proof));

        assertThat(reason(master.onProof(proof))).isEqualTo(Reason.OUT_OF_ORDER);
        assertThat(reason(master.onHello(worker(TERMS).hello()))).isEqualTo(Reason.OUT_OF_ORDER);
        assertThat(master.posted()).isNull();
        assertThat(master.admitted()).isEqualTo(1);
    }

    @Test
    void onAConnectionOnlyOneProofIsLookedAt() {
        Proof good = next(worker.onChallenge(next(master.onHello(worker.hello()))));
        assertThat(reason(master.onProof(new Proof(new byte[32])))).isEqualTo(Reason.BAD_PROOF);
        assertThat(reason(master.onProof(good))).isEqualTo(Reason.OUT_OF_ORDER);
        assertThat(master.admitted()).isZero();
    }

    @Test
    void aWorkerWithAnotherKeyRefusesTheMasterAndCannotAnswerIt() {
        JobKey other = JobKey.random(random);
        WorkerEnd stranger = new WorkerEnd(TERMS, other, random);
        Challenge challenge = next(master.onHello(stranger.hello()));
        assertThat(reason(stranger.onChallenge(challenge))).isEqualTo(Reason.BAD_PROOF);

        byte[] guess = new Transcript(TERMS, stranger.hello().workerNonce(), challenge.masterNonce(), other)
                .proof(Role.WORKER);
        assertThat(reason(master.onProof(new Proof(guess)))).isEqualTo(Reason.BAD_PROOF);
    }

    @Test
    void theMastersOwnProofSentBackIsRefused() {
        Challenge challenge = next(master.onHello(worker.hello()));
        assertThat(reason(master.onProof(new Proof(challenge.masterProof())))).isEqualTo(Reason.BAD_PROOF);
    }

    @Test
    void aProofFetchedFromAMasterByItsOwnNonceIsRefused() {
        // The one in the middle opens a second connection and has the master itself compute on the first one's nonce.
        Challenge first = next(master.onHello(new Hello(1, JOB, new byte[32])));
        Challenge second = next(master(TERMS).onHello(new Hello(1, JOB, first.masterNonce())));
        assertThat(reason(master.onProof(new Proof(second.masterProof())))).isEqualTo(Reason.BAD_PROOF);
    }

    @Test
    void aWorkersProofCannotStandForAMasters() {
        Hello hello = worker.hello();
        byte[] nonce = new byte[32];
        byte[] swapped = new Transcript(TERMS, hello.workerNonce(), nonce, jobKey).proof(Role.WORKER);
        assertThat(reason(worker.onChallenge(new Challenge(1, nonce, swapped)))).isEqualTo(Reason.BAD_PROOF);
    }

    @Test
    void aReplayedHandshakeIsRefused() {
        Hello hello = worker.hello();
        Proof proof = next(worker.onChallenge(next(master.onHello(hello))));

        MasterEnd later = master(TERMS);
        assertThat(next(later.onHello(hello))).isNotNull();
        assertThat(reason(later.onProof(proof))).isEqualTo(Reason.BAD_PROOF);
    }

    @Test
    void aReplayedChallengeIsRefused() {
        Challenge old = next(master.onHello(worker.hello()));
        WorkerEnd later = worker(TERMS);
        later.hello();
        assertThat(reason(later.onChallenge(old))).isEqualTo(Reason.BAD_PROOF);
    }

    @Test
    void anotherSessionFails() {
        assertDisagree(new HandshakeTerms(1, "abcdefghijkm", JOB, false));
    }

    @Test
    void anotherViewOfTheLinkFails() {
        assertDisagree(new HandshakeTerms(1, TERMS.sessionId(), JOB, true));
    }

    @Test
    void anotherNumberUnderTheSameKeyFails() {
        Hello hello = worker.hello();
        MasterEnd ofOther = master(new HandshakeTerms(1, TERMS.sessionId(), 43, false));
        Challenge challenge = next(ofOther.onHello(new Hello(1, 43, hello.workerNonce())));
        assertThat(reason(worker.onChallenge(challenge))).isEqualTo(Reason.BAD_PROOF);
    }

    @Test
    void messagesOutOfOrderAreRefused() {
        assertThat(failure(master(TERMS).onProof(new Proof(new byte[32]))))
                .isEqualTo(
                        "its handshake failed: " + new HandshakeFailure(Reason.OUT_OF_ORDER, 1, OptionalInt.empty()));
        assertThat(reason(worker(TERMS).onChallenge(new Challenge(1, new byte[32], new byte[32]))))
                .isEqualTo(Reason.OUT_OF_ORDER);
        assertThat(reason(greeted().onWelcome(new Welcome(new byte[64])))).isEqualTo(Reason.OUT_OF_ORDER);
    }

    @Test
    void afterAFailureEverythingIsRefused() {
        Challenge challenge = next(master.onHello(worker.hello()));
        assertThat(reason(master.onHello(worker.hello()))).isEqualTo(Reason.OUT_OF_ORDER);
        Proof proof = next(worker.onChallenge(challenge));
        assertThat(reason(master.onProof(proof))).isEqualTo(Reason.OUT_OF_ORDER);
        assertThat(reason(worker.onChallenge(challenge))).isEqualTo(Reason.OUT_OF_ORDER);
        assertThat(reason(worker.onWelcome(new Welcome(new byte[64])))).isEqualTo(Reason.OUT_OF_ORDER);
    }

    @Test
    void settingsAreBounded() {
        MasterEnd generous = master(TERMS, new byte[8_129]);
        Proof proof = next(worker.onChallenge(next(generous.onHello(worker.hello()))));
        assertThatThrownBy(() -> generous.onProof(proof))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The settings for worker 42 have 8129 bytes; a welcome holds 8128."
                        + " Send the rest after the handshake.");

        WorkerEnd another = worker(TERMS);
        Welcome welcome = welcome(another, master(TERMS, new byte[8_128]));
        assertThat(next(another.onWelcome(welcome)).settings()).hasSize(8_128);
    }

    @Test
    void theKeysOfAStreamAreHandedOutOnce() {
        Welcome welcome = welcome(worker, master);
        ConnectionKeys keys = next(worker.onWelcome(welcome)).keys();
        keys.seal(3);
        assertThatThrownBy(() -> keys.seal(3))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("The seal of stream 3 was already handed out; a key must not be used twice. Keep the"
                        + " first one.");
        assertThat(keys.seal(4)).isNotNull();
    }
}
