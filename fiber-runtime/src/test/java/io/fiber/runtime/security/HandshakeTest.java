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
import io.fiber.runtime.security.HandshakeTerms.Exposure;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class HandshakeTest extends HandshakeScene {

    @Test
    void theHolderOfTheKeyIsLetInAndGetsPayloadKeyAndSettings() {
        Challenge challenge = next(master.onHello(worker.hello()));
        Proof proof = next(worker.onChallenge(challenge));
        assertThat(next(master.onProof(proof))).isEqualTo(JOB);
        MasterHandshake.Entry entry = master.admit(payloadKey, SETTINGS);
        Admission admission = next(worker.onWelcome(entry.welcome()));

        assertThat(admission.payloadKey()).isEqualTo(payloadKey);
        assertThat(admission.settings()).isEqualTo(SETTINGS);
        assertThat(jobKeys.isKnown(JOB)).isTrue();
        assertThat(jobKeys.waiting(JOB)).isEmpty();
        assertTalk(entry.keys(), admission.keys());
    }

    @Test
    void helloIsTheSameEachTimeItIsOffered() {
        assertThat(worker.hello()).isSameAs(worker.hello());
        assertThat(next(master.onHello(worker.hello()))).isNotNull();
    }

    @Test
    void differentVersionsEndTheHandshakeBeforeASecretIsUsed() {
        MasterHandshake newer = master(new HandshakeTerms(2, TERMS.sessionId(), TERMS.exposure()));
        Hello hello = new Hello(1, 12345, new byte[0]);

        assertThat(failure(newer.onHello(hello))).isEqualTo(new HandshakeFailure(Reason.VERSION, 2, OptionalInt.of(1)));
        worker.hello();
        assertThat(worker.onVersionRefusal(new VersionRefusal(2)))
                .isEqualTo(new HandshakeFailure(Reason.VERSION, 1, OptionalInt.of(2)));
    }

    @Test
    void aVersionRefusalThatNamesTheSameVersionIsMalformed() {
        worker.hello();
        assertThat(worker.onVersionRefusal(new VersionRefusal(1)).reason()).isEqualTo(Reason.MALFORMED);
    }

    @Test
    void aVersionRefusalAfterTheChallengeIsOutOfOrder() {
        next(worker.onChallenge(next(master.onHello(worker.hello()))));
        assertThat(worker.onVersionRefusal(new VersionRefusal(2)).reason()).isEqualTo(Reason.OUT_OF_ORDER);
    }

    @Test
    void aChallengeInAnotherVersionIsRefused() {
        Challenge challenge = next(master.onHello(worker.hello()));
        assertThat(failure(worker.onChallenge(new Challenge(2, challenge.masterNonce(), challenge.masterProof()))))
                .isEqualTo(new HandshakeFailure(Reason.VERSION, 1, OptionalInt.of(2)));
    }

    @Test
    void aDowngradeOnTheWayFailsTheProof() {
        // Both ends speak 2; on the way the hello is changed to 1 and a master that still speaks 1 answers.
        WorkerHandshake newWorker = worker(new HandshakeTerms(2, TERMS.sessionId(), TERMS.exposure()));
        Hello hello = newWorker.hello();
        Challenge challenge = next(master.onHello(new Hello(1, hello.jobNumber(), hello.workerNonce())));

        Challenge changedBack = new Challenge(2, challenge.masterNonce(), challenge.masterProof());
        assertThat(failure(newWorker.onChallenge(changedBack)).reason()).isEqualTo(Reason.BAD_PROOF);
    }

    @Test
    void anUnknownJobEndsTheHandshake() {
        assertThat(failure(master.onHello(new Hello(1, 99, new byte[32]))))
                .isEqualTo(new HandshakeFailure(Reason.UNKNOWN_JOB, 1, OptionalInt.of(1)));
    }

    @Test
    void aKeyThatWasUsedIsNotAcceptedAgain() {
        MasterHandshake second = master(TERMS);
        WorkerHandshake thief = worker(TERMS);
        Proof stolen = next(thief.onChallenge(next(second.onHello(thief.hello()))));

        next(master.onProof(next(worker.onChallenge(next(master.onHello(worker.hello()))))));

        assertThat(failure(second.onProof(stolen)).reason()).isEqualTo(Reason.KEY_USED);
        assertThat(failure(master(TERMS).onHello(worker.hello())).reason()).isEqualTo(Reason.KEY_USED);
    }

    @Test
    void aJobForgottenDuringItsHandshakeIsNotLetIn() {
        Proof proof = next(worker.onChallenge(next(master.onHello(worker.hello()))));
        jobKeys.forget(JOB);
        assertThat(failure(master.onProof(proof)).reason()).isEqualTo(Reason.UNKNOWN_JOB);
    }

    @Test
    void aBadProofDoesNotUseUpTheKey() {
        next(master.onHello(worker.hello()));
        assertThat(failure(master.onProof(new Proof(new byte[32]))).reason()).isEqualTo(Reason.BAD_PROOF);
        assertThat(jobKeys.waiting(JOB)).isPresent();

        MasterHandshake another = master(TERMS);
        WorkerHandshake honest = worker(TERMS);
        assertThat(next(another.onProof(next(honest.onChallenge(next(another.onHello(honest.hello())))))))
                .isEqualTo(JOB);
    }

    @Test
    void aWorkerWithAnotherKeyRefusesTheMasterAndCannotAnswerIt() {
        JobKey other = new JobKeys(random, 1).register(JOB);
        WorkerHandshake stranger = new WorkerHandshake(TERMS, JOB, other, random);
        Challenge challenge = next(master.onHello(stranger.hello()));
        assertThat(failure(stranger.onChallenge(challenge)).reason()).isEqualTo(Reason.BAD_PROOF);

        byte[] guess = new Transcript(TERMS, stranger.hello(), challenge.masterNonce(), other).proof(Role.WORKER);
        assertThat(failure(master.onProof(new Proof(guess))).reason()).isEqualTo(Reason.BAD_PROOF);
    }

    @Test
    void theMastersOwnProofSentBackIsRefused() {
        Challenge challenge = next(master.onHello(worker.hello()));
        assertThat(failure(master.onProof(new Proof(challenge.masterProof()))).reason())
                .isEqualTo(Reason.BAD_PROOF);
    }

    @Test
    void aProofFetchedFromAMasterByItsOwnNonceIsRefused() {
        // The one in the middle opens a second connection and has the master itself compute on the first one's nonce.
        Challenge first = next(master.onHello(new Hello(1, JOB, new byte[32])));
        Challenge second = next(master(TERMS).onHello(new Hello(1, JOB, first.masterNonce())));
        assertThat(failure(master.onProof(new Proof(second.masterProof()))).reason())
                .isEqualTo(Reason.BAD_PROOF);
    }

    @Test
    void aWorkersProofCannotStandForAMasters() {
        Hello hello = worker.hello();
        byte[] nonce = new byte[32];
        byte[] swapped = new Transcript(TERMS, hello, nonce, jobKey).proof(Role.WORKER);
        assertThat(failure(worker.onChallenge(new Challenge(1, nonce, swapped))).reason())
                .isEqualTo(Reason.BAD_PROOF);
    }

    @Test
    void aReplayedHandshakeIsRefused() {
        Hello hello = worker.hello();
        Proof proof = next(worker.onChallenge(next(master.onHello(hello))));

        MasterHandshake later = master(TERMS);
        assertThat(next(later.onHello(hello))).isNotNull();
        assertThat(failure(later.onProof(proof)).reason()).isEqualTo(Reason.BAD_PROOF);
    }

    @Test
    void aReplayedChallengeIsRefused() {
        Challenge old = next(master.onHello(worker.hello()));
        WorkerHandshake later = worker(TERMS);
        later.hello();
        assertThat(failure(later.onChallenge(old)).reason()).isEqualTo(Reason.BAD_PROOF);
    }

    @Test
    void anotherSessionFails() {
        assertDisagree(new HandshakeTerms(1, "abcdefghijkm", Exposure.OPEN));
    }

    @Test
    void anotherViewOfTheLinkFails() {
        assertDisagree(new HandshakeTerms(1, TERMS.sessionId(), Exposure.CONFINED));
    }

    @Test
    void anotherJobNumberUnderTheSameKeyFails() {
        jobKeys.register(43);
        Hello hello = worker.hello();
        Challenge challenge = next(master.onHello(new Hello(1, 43, hello.workerNonce())));
        assertThat(failure(worker.onChallenge(challenge)).reason()).isEqualTo(Reason.BAD_PROOF);
    }

    @Test
    void messagesOutOfOrderAreRefused() {
        assertThat(failure(master(TERMS).onProof(new Proof(new byte[32]))))
                .isEqualTo(new HandshakeFailure(Reason.OUT_OF_ORDER, 1, OptionalInt.empty()));
        assertThat(failure(worker(TERMS).onChallenge(new Challenge(1, new byte[32], new byte[32])))
                        .reason())
                .isEqualTo(Reason.OUT_OF_ORDER);
        assertThat(failure(greeted().onWelcome(new Welcome(new byte[64]))).reason())
                .isEqualTo(Reason.OUT_OF_ORDER);
    }

    @Test
    void afterAFailureEverythingIsRefused() {
        Challenge challenge = next(master.onHello(worker.hello()));
        assertThat(failure(master.onHello(worker.hello())).reason()).isEqualTo(Reason.OUT_OF_ORDER);
        Proof proof = next(worker.onChallenge(challenge));
        assertThat(failure(master.onProof(proof)).reason()).isEqualTo(Reason.OUT_OF_ORDER);
        assertThat(failure(worker.onChallenge(challenge)).reason()).isEqualTo(Reason.OUT_OF_ORDER);
        assertThat(failure(worker.onWelcome(new Welcome(new byte[64]))).reason())
                .isEqualTo(Reason.OUT_OF_ORDER);
        assertThat(jobKeys.waiting(JOB)).isPresent();
    }

    @Test
    void aWorkerIsLetInOnceAndOnlyAfterItsProof() {
        assertThatThrownBy(() -> master.admit(payloadKey, SETTINGS))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("A worker is let in once, after its proof was good; this handshake is NEW.");
        welcome(worker, master);
        assertThatThrownBy(() -> master.admit(payloadKey, SETTINGS))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("A worker is let in once, after its proof was good; this handshake is DONE.");
    }

    @Test
    void settingsAreBounded() {
        next(master.onProof(next(worker.onChallenge(next(master.onHello(worker.hello()))))));
        assertThatThrownBy(() -> master.admit(payloadKey, new byte[8_129]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The settings for job 42 have 8129 bytes; a welcome holds 8128."
                        + " Send the rest after the handshake.");
        Welcome welcome = master.admit(payloadKey, new byte[8_128]).welcome();
        assertThat(next(worker.onWelcome(welcome)).settings()).hasSize(8_128);
    }

    @Test
    void theKeysOfAStreamAreHandedOutOnce() {
        Welcome welcome = welcome(worker, master);
        ConnectionKeys keys = next(worker.onWelcome(welcome)).keys();
        keys.seal(3);
        assertThatThrownBy(() -> keys.seal(3))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("The seal of stream 3 was handed out before; a key must not be used twice."
                        + " Keep the first one.");
        assertThat(keys.seal(4)).isNotNull();
    }
}
