// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import io.fiber.runtime.security.HandshakeFailure.Reason;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The master's end of a handshake. One for each connection; belongs to one thread; reads no clock and does no I/O.
 * Whatever arrives, it answers with a result and does not throw.
 *
 * <p>On a failure the master says nothing, save for {@link Reason#VERSION}, which it answers with
 * {@link HandshakeMessage.VersionRefusal}. A hello for an unexpected job costs it a look into a map.
 */
public final class MasterHandshake {

    /** The greatest length of the settings in a welcome. */
    public static final int SETTINGS_LIMIT_BYTES = Hkdf.EXPAND_LIMIT_BYTES - PayloadKey.LENGTH_BYTES;

    /** What a welcome is longer than the settings in it. */
    public static final int WELCOME_OVERHEAD_BYTES = PayloadKey.LENGTH_BYTES + Hkdf.HASH_BYTES;

    private enum State {
        NEW,
        CHALLENGED,
        ACCEPTED,
        DONE,
        FAILED
    }

    /** What is known after a hello that was good. */
    private record Claim(long jobNumber, JobKey key, Transcript transcript) {}

    private final HandshakeTerms terms;
    private final JobKeys jobKeys;
    private final SecureRandom random;
    private State state = State.NEW;
    private OptionalInt peerVersion = OptionalInt.empty();
    private @Nullable Claim claim;

    /**
     * Creates a handshake that waits for a hello.
     *
     * @param jobKeys the keys of the jobs that are expected
     * @param random where the nonce comes from
     */
    public MasterHandshake(HandshakeTerms terms, JobKeys jobKeys, SecureRandom random) {
        this.terms = terms;
        this.jobKeys = jobKeys;
        this.random = random;
    }

    /** Answers the hello of a job that is expected with a challenge. */
    public HandshakeStep<HandshakeMessage.Challenge> onHello(HandshakeMessage.Hello hello) {
        if (state != State.NEW) {
            return fail(Reason.OUT_OF_ORDER);
        }
        peerVersion = OptionalInt.of(hello.protocolVersion());
        if (hello.protocolVersion() != terms.protocolVersion()) {
            return fail(Reason.VERSION);
        }
        if (hello.workerNonce().length != HandshakeMessage.NONCE_BYTES) {
            return fail(Reason.MALFORMED);
        }
        Optional<JobKey> key = jobKeys.waiting(hello.jobNumber());
        if (key.isEmpty()) {
            return fail(whyNotWaiting(hello.jobNumber()));
        }
        byte[] nonce = new byte[HandshakeMessage.NONCE_BYTES];
        random.nextBytes(nonce);
        Transcript transcript = new Transcript(terms, hello, nonce, key.get());
        claim = new Claim(hello.jobNumber(), key.get(), transcript);
        state = State.CHALLENGED;
        return new HandshakeStep.Next<>(
                new HandshakeMessage.Challenge(terms.protocolVersion(), nonce, transcript.proof(Role.MASTER)));
    }

    /** Checks that the worker holds the job's key, uses the key up, and returns the number of the job. */
    public HandshakeStep<Long> onProof(HandshakeMessage.Proof proof) {
        Claim claimed = claim;
        if (state != State.CHALLENGED || claimed == null) {
            return fail(Reason.OUT_OF_ORDER);
        }
        if (proof.workerProof().length != HandshakeMessage.PROOF_BYTES) {
            return fail(Reason.MALFORMED);
        }
        if (!claimed.transcript().isProven(Role.WORKER, proof.workerProof())) {
            return fail(Reason.BAD_PROOF);
        }
        if (!jobKeys.accept(claimed.jobNumber(), claimed.key())) {
            return fail(whyNotWaiting(claimed.jobNumber()));
        }
        state = State.ACCEPTED;
        return new HandshakeStep.Next<>(claimed.jobNumber());
    }

    /**
     * Lets a worker in whose proof was good.
     *
     * @param settings what the runtime wants the worker to know; at most {@link #SETTINGS_LIMIT_BYTES}
     * @throws IllegalStateException when no proof was good, or this was called before
     * @throws IllegalArgumentException when the settings are too long
     */
    public Entry admit(PayloadKey payloadKey, byte[] settings) {
        Claim claimed = claim;
        if (state != State.ACCEPTED || claimed == null) {
            throw new IllegalStateException(
                    "A worker is let in once, after its proof was good; this handshake is " + state + ".");
        }
        if (settings.length > SETTINGS_LIMIT_BYTES) {
            throw new IllegalArgumentException("The settings for job " + claimed.jobNumber() + " have "
                    + settings.length + " bytes; a welcome holds " + SETTINGS_LIMIT_BYTES
                    + ". Send the rest after the handshake.");
        }
        byte[] key = payloadKey.copyBytes();
        byte[] plain = Arrays.copyOf(key, key.length + settings.length);
        System.arraycopy(settings, 0, plain, key.length, settings.length);
        byte[] sealed = claimed.transcript().sealWelcome(plain);
        Arrays.fill(key, (byte) 0);
        Arrays.fill(plain, (byte) 0);
        claim = null;
        state = State.DONE;
        return new Entry(
                new HandshakeMessage.Welcome(sealed), claimed.transcript().keys(Role.MASTER));
    }

    /** The end of a handshake that went well. */
    public record Entry(HandshakeMessage.Welcome welcome, ConnectionKeys keys) {}

    @Override
    public String toString() {
        return "MasterHandshake[" + state + "]";
    }

    private Reason whyNotWaiting(long jobNumber) {
        return jobKeys.isKnown(jobNumber) ? Reason.KEY_USED : Reason.UNKNOWN_JOB;
    }

    private <M> HandshakeStep<M> fail(Reason reason) {
        state = State.FAILED;
        claim = null;
        return new HandshakeStep.Failed<>(new HandshakeFailure(reason, terms.protocolVersion(), peerVersion));
    }
}
