// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import io.fiber.runtime.security.HandshakeFailure.Reason;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The worker's end of a handshake: it says hello, has the master prove itself, proves itself, and is let in. One for each
 * connection; belongs to one thread; reads no clock and does no I/O. Whatever arrives, it answers with a result and does
 * not throw.
 */
public final class WorkerHandshake {

    private enum State {
        NEW,
        GREETED,
        PROVEN,
        DONE,
        FAILED
    }

    private final HandshakeTerms terms;
    private final JobKey jobKey;
    private final HandshakeMessage.Hello hello;
    private State state = State.NEW;
    private OptionalInt peerVersion = OptionalInt.empty();
    private @Nullable Transcript transcript;

    /**
     * Creates a handshake that has not begun.
     *
     * @param jobNumber the number of the job this process is, from its bootstrap
     * @param jobKey the job's key, from its bootstrap
     * @param random where the nonce comes from
     */
    public WorkerHandshake(HandshakeTerms terms, long jobNumber, JobKey jobKey, SecureRandom random) {
        this.terms = terms;
        this.jobKey = jobKey;
        byte[] nonce = new byte[HandshakeMessage.NONCE_BYTES];
        random.nextBytes(nonce);
        this.hello = new HandshakeMessage.Hello(terms.protocolVersion(), jobNumber, nonce);
    }

    /** Returns the first message; the same one at each call, so that it can be offered again. */
    public HandshakeMessage.Hello hello() {
        if (state == State.NEW) {
            state = State.GREETED;
        }
        return hello;
    }

    /** Checks that the master holds the job's key, and only then returns the proof that this end does. */
    public HandshakeStep<HandshakeMessage.Proof> onChallenge(HandshakeMessage.Challenge challenge) {
        if (state != State.GREETED) {
            return fail(Reason.OUT_OF_ORDER);
        }
        peerVersion = OptionalInt.of(challenge.protocolVersion());
        if (challenge.protocolVersion() != terms.protocolVersion()) {
            return fail(Reason.VERSION);
        }
        if (challenge.masterNonce().length != HandshakeMessage.NONCE_BYTES
                || challenge.masterProof().length != HandshakeMessage.PROOF_BYTES) {
            return fail(Reason.MALFORMED);
        }
        Transcript agreed = new Transcript(terms, hello, challenge.masterNonce(), jobKey);
        if (!agreed.isProven(Role.MASTER, challenge.masterProof())) {
            return fail(Reason.BAD_PROOF);
        }
        transcript = agreed;
        state = State.PROVEN;
        return new HandshakeStep.Next<>(new HandshakeMessage.Proof(agreed.proof(Role.WORKER)));
    }

    /** Takes in that the master speaks another version. */
    public HandshakeFailure onVersionRefusal(HandshakeMessage.VersionRefusal refusal) {
        if (state != State.GREETED) {
            return failure(Reason.OUT_OF_ORDER);
        }
        peerVersion = OptionalInt.of(refusal.protocolVersion());
        return failure(refusal.protocolVersion() == terms.protocolVersion() ? Reason.MALFORMED : Reason.VERSION);
    }

    /** Takes in what the master gives to a worker that it let in. */
    public HandshakeStep<Admission> onWelcome(HandshakeMessage.Welcome welcome) {
        Transcript agreed = transcript;
        if (state != State.PROVEN || agreed == null) {
            return fail(Reason.OUT_OF_ORDER);
        }
        byte[] sealed = welcome.sealed();
        if (sealed.length < MasterHandshake.WELCOME_OVERHEAD_BYTES
                || sealed.length > MasterHandshake.SETTINGS_LIMIT_BYTES + MasterHandshake.WELCOME_OVERHEAD_BYTES) {
            return fail(Reason.MALFORMED);
        }
        if (!agreed.isWelcomeGenuine(sealed)) {
            return fail(Reason.BAD_PROOF);
        }
        byte[] plain = agreed.openWelcome(sealed);
        PayloadKey payloadKey = PayloadKey.consume(Arrays.copyOf(plain, PayloadKey.LENGTH_BYTES));
        byte[] settings = Arrays.copyOfRange(plain, PayloadKey.LENGTH_BYTES, plain.length);
        Arrays.fill(plain, (byte) 0);
        transcript = null;
        state = State.DONE;
        return new HandshakeStep.Next<>(new Admission(agreed.keys(Role.WORKER), payloadKey, settings));
    }

    @Override
    public String toString() {
        return "WorkerHandshake[job " + hello.jobNumber() + ", " + state + "]";
    }

    private <M> HandshakeStep<M> fail(Reason reason) {
        return new HandshakeStep.Failed<>(failure(reason));
    }

    private HandshakeFailure failure(Reason reason) {
        state = State.FAILED;
        transcript = null;
        return new HandshakeFailure(reason, terms.protocolVersion(), peerVersion);
    }
}
