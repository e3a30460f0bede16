// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import io.fiber.spec.Secret;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Everything on which the two ends have agreed, as one hash, and the secret of the connection that is derived from it
 * and the job's key. Belongs to one handshake. Not thread-safe.
 */
final class Transcript {

    private static final byte[] TRANSCRIPT = ascii("fiber/1 handshake");
    private static final byte[] MASTER_PROOF = ascii("fiber/1 master proof");
    private static final byte[] WORKER_PROOF = ascii("fiber/1 worker proof");
    private static final byte[] WELCOME_PAD = ascii("fiber/1 welcome pad");
    private static final byte[] WELCOME_TAG = ascii("fiber/1 welcome tag");

    private static final int FIXED_BYTES = 5 * Integer.BYTES + Long.BYTES;

    private final Hkdf hkdf;
    private final byte[] hash;
    private final byte[] connectionSecret;

    /**
     * Creates the transcript of a handshake whose nonces are known.
     *
     * @param terms the version of both ends, which is the same, and what else they must agree on
     */
    Transcript(HandshakeTerms terms, byte[] workerNonce, byte[] masterNonce, JobKey jobKey) {
        this.hkdf = new Hkdf();
        this.hash = hkdf.hash(encode(terms, workerNonce, masterNonce));
        byte[] key = jobKey.secret().copyBytes();
        this.connectionSecret = hkdf.mac(hash, key);
        Arrays.fill(key, (byte) 0);
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns what {@code role} shows to the other one; the two roles have different keys for it. */
    byte[] proof(Role role) {
        byte[] key = hkdf.expand(connectionSecret, role == Role.MASTER ? MASTER_PROOF : WORKER_PROOF, Hkdf.HASH_BYTES);
        return hkdf.mac(key, hash);
    }

    /** Returns whether {@code proof} is what {@code role} must show, in constant time. */
    boolean isProven(Role role, byte[] proof) {
        return MessageDigest.isEqual(proof(role), proof);
    }

    /** Seals the single welcome of this connection: masked by a pad that is used once, followed by a tag. */
    byte[] sealWelcome(byte[] plain) {
        byte[] sealed = Arrays.copyOf(plain, plain.length + Hkdf.HASH_BYTES);
        mask(sealed, plain.length);
        byte[] tag = welcomeTag(Arrays.copyOf(sealed, plain.length));
        System.arraycopy(tag, 0, sealed, plain.length, tag.length);
        return sealed;
    }

    /** Returns the content of a welcome; null if the master of this connection did not create it. */
    byte @Nullable [] openWelcome(byte[] sealed) {
        byte[] bytes = Arrays.copyOf(sealed, sealed.length - Hkdf.HASH_BYTES);
        byte[] tag = Arrays.copyOfRange(sealed, bytes.length, sealed.length);
        if (!MessageDigest.isEqual(welcomeTag(bytes), tag)) {
            return null;
        }
        mask(bytes, bytes.length);
        return bytes;
    }

    /** Returns the keys of the connection, for the end with this {@code role}. */
    ConnectionKeys keys(Role role) {
        return new ConnectionKeys(Secret.of(connectionSecret), role);
    }

    private void mask(byte[] bytes, int length) {
        byte[] pad = hkdf.expand(connectionSecret, WELCOME_PAD, length);
        for (int i = 0; i < length; i++) {
            bytes[i] ^= pad[i];
        }
    }

    private byte[] welcomeTag(byte[] masked) {
        return hkdf.mac(hkdf.expand(connectionSecret, WELCOME_TAG, Hkdf.HASH_BYTES), hash, masked);
    }

    private static byte[] encode(HandshakeTerms terms, byte[] workerNonce, byte[] masterNonce) {
        byte[] session = terms.sessionId().getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(
                TRANSCRIPT.length + session.length + FIXED_BYTES + workerNonce.length + masterNonce.length);
        bytes.putInt(TRANSCRIPT.length).put(TRANSCRIPT);
        bytes.putInt(terms.protocolVersion()).putInt(terms.protocolVersion());
        bytes.putInt(session.length).put(session);
        bytes.putLong(terms.number());
        bytes.putInt(terms.isConfined() ? 0 : 1);
        bytes.put(workerNonce).put(masterNonce);
        return bytes.array();
    }
}
