// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

/**
 * What the two ends of a new connection say to each other before anything else is read.
 *
 * <pre>
 * worker                                   master
 *   Hello            ------------------------>
 *                    <------------------------  Challenge | VersionRefusal | silence
 *   Proof            ------------------------>
 *                    <------------------------  Welcome   | silence
 * </pre>
 *
 * <p>The records take what arrives as it is: a length that is wrong is found by the handshake, which answers with a
 * {@link HandshakeFailure} and does not throw. The arrays belong to the message and must not be changed.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public sealed interface HandshakeMessage {

    /** The length of a nonce. */
    int NONCE_BYTES = 32;

    /** The length of a proof. */
    int PROOF_BYTES = 32;

    /** A worker names the protocol it speaks and the job it claims to be. */
    record Hello(int protocolVersion, long jobNumber, byte[] workerNonce) implements HandshakeMessage {}

    /** The master shows that it holds the job's key, and asks for the same. */
    record Challenge(int protocolVersion, byte[] masterNonce, byte[] masterProof) implements HandshakeMessage {}

    /** The worker shows that it holds the job's key. */
    record Proof(byte[] workerProof) implements HandshakeMessage {}

    /** The master lets the worker in, and gives it the payload key and its settings, sealed. */
    record Welcome(byte[] sealed) implements HandshakeMessage {}

    /**
     * The master speaks another version than the worker. It is not authenticated: an attacker that can send it can keep
     * the two from talking anyway.
     */
    record VersionRefusal(int protocolVersion) implements HandshakeMessage {}
}
