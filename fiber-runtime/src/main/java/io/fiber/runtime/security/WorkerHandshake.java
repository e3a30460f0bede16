// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.protocol.codec.ChallengeDecoder;
import io.fiber.runtime.protocol.codec.RefusalDecoder;
import io.fiber.runtime.protocol.codec.WelcomeDecoder;
import io.fiber.runtime.security.HandshakeFailure.Reason;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The handshake of a link at the dialling end, that of the worker: it says hello, authenticates the other end,
 * authenticates itself, and is admitted. One for each link. Not thread-safe; belongs to the conductor.
 */
public final class WorkerHandshake {

    public interface Owner {
        void post(Outgoing message);

        /** Both ends have authenticated themselves. */
        void onAdmitted(Admission admission);

        /** The other end has not authenticated itself, or has not accepted this one. */
        void onFailed(HandshakeFailure failure);
    }

    private final HandshakeTerms terms;
    private final JobKey key;
    private final byte[] nonce = new byte[ChallengeDecoder.nonceLength()];
    private boolean awaitsChallenge;
    private OptionalInt peerVersion = OptionalInt.empty();
    /** Between the challenge and the welcome. */
    private @Nullable Transcript transcript;

    /**
     * Creates a handshake that has not started.
     *
     * @param key the key that both ends must have
     * @param random the source of the nonce
     */
    public WorkerHandshake(HandshakeTerms terms, JobKey key, SecureRandom random) {
        this.terms = terms;
        this.key = key;
        random.nextBytes(nonce);
    }

    public void begin(Owner owner) {
        awaitsChallenge = true;
        owner.post(Messages.hello(terms.protocolVersion(), terms.number(), nonce));
    }

    /** Receives a message; returns false if it does not belong to a handshake. */
    public boolean onMessage(Message message, Owner owner) {
        switch (message.templateId()) {
            case ChallengeDecoder.TEMPLATE_ID -> onChallenge(message.as(new ChallengeDecoder()), owner);
            case WelcomeDecoder.TEMPLATE_ID ->
                onWelcome(message.payload().bytes().toArray(), owner);
            case RefusalDecoder.TEMPLATE_ID -> onRefusal(message.as(new RefusalDecoder()), owner);
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Sends this end's proof only after the other end's proof was verified. */
    private void onChallenge(ChallengeDecoder challenge, Owner owner) {
        if (!awaitsChallenge) {
            fail(Reason.OUT_OF_ORDER, owner);
            return;
        }
        peerVersion = OptionalInt.of(challenge.protocolVersion());
        if (challenge.protocolVersion() != terms.protocolVersion()) {
            fail(Reason.VERSION, owner);
            return;
        }
        byte[] masterNonce = new byte[ChallengeDecoder.nonceLength()];
        byte[] proof = new byte[ChallengeDecoder.proofLength()];
        challenge.getNonce(masterNonce, 0, masterNonce.length);
        challenge.getProof(proof, 0, proof.length);
        Transcript agreed = new Transcript(terms, nonce, masterNonce, key);
        if (!agreed.isProven(Role.MASTER, proof)) {
            fail(Reason.BAD_PROOF, owner);
            return;
        }
        awaitsChallenge = false;
        transcript = agreed;
        owner.post(Messages.proof(agreed.proof(Role.WORKER)));
    }

    private void onRefusal(RefusalDecoder refusal, Owner owner) {
        if (!awaitsChallenge) {
            fail(Reason.OUT_OF_ORDER, owner);
            return;
        }
        peerVersion = OptionalInt.of(refusal.protocolVersion());
        fail(refusal.protocolVersion() == terms.protocolVersion() ? Reason.MALFORMED : Reason.VERSION, owner);
    }

    private void onWelcome(byte[] sealed, Owner owner) {
        Transcript agreed = transcript;
        if (agreed == null) {
            fail(Reason.OUT_OF_ORDER, owner);
            return;
        }
        if (sealed.length < MasterHandshake.WELCOME_OVERHEAD_BYTES
                || sealed.length > MasterHandshake.SETTINGS_LIMIT_BYTES + MasterHandshake.WELCOME_OVERHEAD_BYTES) {
            fail(Reason.MALFORMED, owner);
            return;
        }
        byte[] plain = agreed.openWelcome(sealed);
        if (plain == null) {
            fail(Reason.BAD_PROOF, owner);
            return;
        }
        transcript = null;
        PayloadKey payloadKey = PayloadKey.consume(Arrays.copyOf(plain, PayloadKey.LENGTH_BYTES));
        byte[] settings = Arrays.copyOfRange(plain, PayloadKey.LENGTH_BYTES, plain.length);
        Arrays.fill(plain, (byte) 0);
        owner.onAdmitted(new Admission(agreed.keys(Role.WORKER), payloadKey, settings));
    }

    private void fail(Reason reason, Owner owner) {
        awaitsChallenge = false;
        transcript = null;
        owner.onFailed(new HandshakeFailure(reason, terms.protocolVersion(), peerVersion));
    }
}
