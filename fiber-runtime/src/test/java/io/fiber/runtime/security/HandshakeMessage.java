// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.protocol.Frames;
import io.fiber.runtime.protocol.Inbox;
import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.protocol.codec.ChallengeDecoder;
import io.fiber.runtime.protocol.codec.HelloDecoder;
import io.fiber.runtime.protocol.codec.ProofDecoder;
import io.fiber.runtime.protocol.codec.RefusalDecoder;
import io.fiber.runtime.protocol.codec.WelcomeDecoder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The messages of a handshake as values, for those who change them on their way. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public sealed interface HandshakeMessage {

    /** Returns it as it is sent. */
    Outgoing outgoing();

    /** A worker names the protocol it speaks and the job it claims to be. */
    record Hello(int protocolVersion, long number, byte[] workerNonce) implements HandshakeMessage {
        @Override
        public Outgoing outgoing() {
            return Messages.hello(protocolVersion, number, workerNonce);
        }
    }

    /** The master shows that it holds the job's key, and asks for the same. */
    record Challenge(int protocolVersion, byte[] masterNonce, byte[] masterProof) implements HandshakeMessage {
        @Override
        public Outgoing outgoing() {
            return Messages.challenge(protocolVersion, masterNonce, masterProof);
        }
    }

    /** The worker shows that it holds the job's key. */
    record Proof(byte[] workerProof) implements HandshakeMessage {
        @Override
        public Outgoing outgoing() {
            return Messages.proof(workerProof);
        }
    }

    /** The master lets the worker in, and gives it the payload key and its settings, sealed. */
    record Welcome(byte[] sealed) implements HandshakeMessage {
        @Override
        public Outgoing outgoing() {
            return Messages.welcome(sealed);
        }
    }

    /** The master speaks another version than the worker. */
    record VersionRefusal(int protocolVersion) implements HandshakeMessage {
        @Override
        public Outgoing outgoing() {
            return Messages.refusal(protocolVersion);
        }
    }

    /** Reads a message that has arrived. */
    static HandshakeMessage of(Message message) {
        return switch (message.templateId()) {
            case HelloDecoder.TEMPLATE_ID -> {
                HelloDecoder hello = message.as(new HelloDecoder());
                byte[] nonce = new byte[32];
                hello.getNonce(nonce, 0, 32);
                yield new Hello(hello.protocolVersion(), hello.number(), nonce);
            }
            case ChallengeDecoder.TEMPLATE_ID -> {
                ChallengeDecoder challenge = message.as(new ChallengeDecoder());
                byte[] nonce = new byte[32];
                byte[] proof = new byte[32];
                challenge.getNonce(nonce, 0, 32);
                challenge.getProof(proof, 0, 32);
                yield new Challenge(challenge.protocolVersion(), nonce, proof);
            }
            case ProofDecoder.TEMPLATE_ID -> {
                byte[] proof = new byte[32];
                message.as(new ProofDecoder()).getProof(proof, 0, 32);
                yield new Proof(proof);
            }
            case WelcomeDecoder.TEMPLATE_ID ->
                new Welcome(message.payload().bytes().toArray());
            case RefusalDecoder.TEMPLATE_ID ->
                new VersionRefusal(message.as(new RefusalDecoder()).protocolVersion());
            default -> throw new AssertionError("message " + message.templateId() + " is none of a handshake");
        };
    }

    /** Reads a message that was posted. */
    static HandshakeMessage of(Outgoing posted) {
        List<HandshakeMessage> read = new ArrayList<>();
        deliver(posted, message -> read.add(of(message)));
        return read.get(0);
    }

    /** Carries a message in a frame of its own. */
    static void deliver(Outgoing message, Consumer<Message> taker) {
        byte[] frame = Frames.of(message);
        Inbox inbox = new Inbox(taker, 1 << 20);
        inbox.onFrame(ByteBuffer.allocateDirect(frame.length).put(0, frame), 0, frame.length);
        assertThat(inbox.fault()).isNull();
    }
}
