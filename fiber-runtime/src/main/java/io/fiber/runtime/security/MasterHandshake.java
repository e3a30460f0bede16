// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.protocol.codec.HelloDecoder;
import io.fiber.runtime.protocol.codec.ProofDecoder;
import io.fiber.runtime.security.HandshakeFailure.Reason;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The handshake of a link at the dialled end, that of the master: it authenticates the other end and admits it. One for
 * each link. Not thread-safe; belongs to the conductor.
 *
 * <p>On a failure nothing is sent, except for {@link Reason#VERSION}, which is answered with the version of this end.
 * The key is forgotten with the first hello, and the secret that is derived from it with the first proof, so repeated
 * messages are out of order.
 */
public final class MasterHandshake {

    /** The maximum length of the settings in a welcome. */
    public static final int SETTINGS_LIMIT_BYTES = Hkdf.EXPAND_LIMIT_BYTES - PayloadKey.LENGTH_BYTES;

    /** How much longer a welcome is than its settings. */
    public static final int WELCOME_OVERHEAD_BYTES = PayloadKey.LENGTH_BYTES + Hkdf.HASH_BYTES;

    private final HandshakeTerms terms;
    private final SecureRandom random;
    private OptionalInt peerVersion = OptionalInt.empty();
    /** Until the hello. */
    private @Nullable JobKey key;
    /** Between the hello and the proof. */
    private @Nullable Transcript transcript;

    /**
     * Creates a handshake that waits for a hello.
     *
     * @param key the key that the other end must have
     * @param random the source of the nonce
     */
    public MasterHandshake(HandshakeTerms terms, JobKey key, SecureRandom random) {
        this.terms = terms;
        this.key = key;
        this.random = random;
    }

    /** Receives a message from the other end before it was accepted. */
    public void onMessage(Message message, Owner owner) {
        switch (message.templateId()) {
            case HelloDecoder.TEMPLATE_ID -> onHello(message.as(new HelloDecoder()), owner);
            case ProofDecoder.TEMPLATE_ID -> onProof(message.as(new ProofDecoder()), owner);
            default -> owner.refuse("it sent message " + message.templateId() + " before it had authenticated itself");
        }
    }

    private void onHello(HelloDecoder hello, Owner owner) {
        if (hello.number() != terms.number()) {
            owner.refuse("it claims number " + hello.number() + " on the link of number " + terms.number());
            return;
        }
        JobKey expected = key;
        if (expected == null) {
            fail(Reason.OUT_OF_ORDER, owner);
            return;
        }
        key = null;
        peerVersion = OptionalInt.of(hello.protocolVersion());
        if (hello.protocolVersion() != terms.protocolVersion()) {
            fail(Reason.VERSION, owner);
            return;
        }
        byte[] workerNonce = new byte[HelloDecoder.nonceLength()];
        hello.getNonce(workerNonce, 0, workerNonce.length);
        byte[] masterNonce = new byte[HelloDecoder.nonceLength()];
        random.nextBytes(masterNonce);
        Transcript agreed = new Transcript(terms, workerNonce, masterNonce, expected);
        transcript = agreed;
        owner.post(Messages.challenge(terms.protocolVersion(), masterNonce, agreed.proof(Role.MASTER)));
    }

    private void onProof(ProofDecoder message, Owner owner) {
        Transcript agreed = transcript;
        if (agreed == null) {
            fail(Reason.OUT_OF_ORDER, owner);
            return;
        }
        transcript = null;
        byte[] proof = new byte[ProofDecoder.proofLength()];
        message.getProof(proof, 0, proof.length);
        if (!agreed.isProven(Role.WORKER, proof)) {
            fail(Reason.BAD_PROOF, owner);
            return;
        }
        owner.post(Messages.welcome(sealed(owner.admit(), agreed)));
        owner.onAccepted(agreed.keys(Role.MASTER));
    }

    private byte[] sealed(Welcome welcome, Transcript agreed) {
        byte[] settings = welcome.settings();
        if (settings.length > SETTINGS_LIMIT_BYTES) {
            throw new IllegalArgumentException("The settings for worker " + terms.number() + " have " + settings.length
                    + " bytes; a welcome holds " + SETTINGS_LIMIT_BYTES + ". Send the rest after the handshake.");
        }
        byte[] payloadKey = welcome.payloadKey().secret().copyBytes();
        byte[] plain = Arrays.copyOf(payloadKey, payloadKey.length + settings.length);
        System.arraycopy(settings, 0, plain, payloadKey.length, settings.length);
        byte[] sealed = agreed.sealWelcome(plain);
        Arrays.fill(payloadKey, (byte) 0);
        Arrays.fill(plain, (byte) 0);
        return sealed;
    }

    private void fail(Reason reason, Owner owner) {
        key = null;
        transcript = null;
        HandshakeFailure failure = new HandshakeFailure(reason, terms.protocolVersion(), peerVersion);
        if (reason == Reason.VERSION) {
            owner.post(Messages.refusal(terms.protocolVersion()));
            owner.onOtherVersion(failure);
        } else {
            owner.refuse("its handshake failed: " + failure);
        }
    }

    public interface Owner {
        void post(Outgoing message);

        /** Admits the other end, which has authenticated itself, and returns what it gets. Called once. */
        Welcome admit();

        /** The other end has authenticated itself, and its welcome was posted. */
        void onAccepted(ConnectionKeys keys);

        /**
         * The other end has another version of the protocol, and was told so: it leaves by itself, or when its time is
         * up.
         */
        default void onOtherVersion(HandshakeFailure failure) {}

        /** Closes the link, because the other end has not authenticated itself. */
        void refuse(String reason);
    }

    /**
     * What an admitted end gets.
     *
     * @param settings what the runtime wants it to know; at most {@link #SETTINGS_LIMIT_BYTES}
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Welcome(PayloadKey payloadKey, byte[] settings) {}
}
