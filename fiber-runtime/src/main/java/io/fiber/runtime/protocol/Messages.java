// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import io.fiber.runtime.protocol.codec.CancelEncoder;
import io.fiber.runtime.protocol.codec.ChallengeEncoder;
import io.fiber.runtime.protocol.codec.DefineEncoder;
import io.fiber.runtime.protocol.codec.DrainEncoder;
import io.fiber.runtime.protocol.codec.ForgetEncoder;
import io.fiber.runtime.protocol.codec.GoodbyeEncoder;
import io.fiber.runtime.protocol.codec.GrantedEncoder;
import io.fiber.runtime.protocol.codec.HelloEncoder;
import io.fiber.runtime.protocol.codec.LeavingEncoder;
import io.fiber.runtime.protocol.codec.MessageHeaderEncoder;
import io.fiber.runtime.protocol.codec.ProofEncoder;
import io.fiber.runtime.protocol.codec.ReadyEncoder;
import io.fiber.runtime.protocol.codec.RecallEncoder;
import io.fiber.runtime.protocol.codec.RefusalEncoder;
import io.fiber.runtime.protocol.codec.ShortenedEncoder;
import io.fiber.runtime.protocol.codec.StuckEncoder;
import io.fiber.runtime.protocol.codec.UnreadyEncoder;
import io.fiber.runtime.protocol.codec.WelcomeEncoder;
import org.agrona.MutableDirectBuffer;

/** The messages that are sent now and then; the frequent ones are written by what they are about. */
public final class Messages {

    /** Stands in a {@code Begun} and a {@code Granted} in the place of an item: the chunk's function is deserialized. */
    public static final int FUNCTION = -1;

    private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;

    private Messages() {}

    /** Writes the block of one message behind a header. */
    private interface Block {
        void write(MutableDirectBuffer buffer, int offset, MessageHeaderEncoder header);
    }

    private record Written(int headerLength, SealedPayload payload, Block block) implements Outgoing {
        @Override
        public void encode(MutableDirectBuffer buffer, int offset, Encoders codecs) {
            block.write(buffer, offset, codecs.header);
        }
    }

    private static Outgoing message(int blockLength, Block block) {
        return new Written(HEADER + blockLength, SealedPayload.none(), block);
    }

    /** A worker opens the handshake. */
    public static Outgoing hello(int protocolVersion, long jobNumber, byte[] nonce) {
        return message(
                HelloEncoder.BLOCK_LENGTH,
                (buffer, offset, header) -> new HelloEncoder()
                        .wrapAndApplyHeader(buffer, offset, header)
                        .protocolVersion(protocolVersion)
                        .jobNumber(jobNumber)
                        .putNonce(nonce, 0, nonce.length));
    }

    /** The master proves itself. */
    public static Outgoing challenge(int protocolVersion, byte[] nonce, byte[] proof) {
        return message(
                ChallengeEncoder.BLOCK_LENGTH,
                (buffer, offset, header) -> new ChallengeEncoder()
                        .wrapAndApplyHeader(buffer, offset, header)
                        .protocolVersion(protocolVersion)
                        .putNonce(nonce, 0, nonce.length)
                        .putProof(proof, 0, proof.length));
    }

    /** The worker proves itself. */
    public static Outgoing proof(byte[] proof) {
        return message(
                ProofEncoder.BLOCK_LENGTH,
                (buffer, offset, header) -> new ProofEncoder()
                        .wrapAndApplyHeader(buffer, offset, header)
                        .putProof(proof, 0, proof.length));
    }

    /** The master speaks another version. */
    public static Outgoing refusal(int protocolVersion) {
        return message(
                RefusalEncoder.BLOCK_LENGTH,
                (buffer, offset, header) -> new RefusalEncoder()
                        .wrapAndApplyHeader(buffer, offset, header)
                        .protocolVersion(protocolVersion));
    }

    /** The master lets the worker in. */
    public static Outgoing welcome(byte[] sealed) {
        return new Written(
                HEADER + WelcomeEncoder.BLOCK_LENGTH,
                SealedPayload.open(Payload.of(sealed)),
                (buffer, offset, header) -> new WelcomeEncoder().wrapAndApplyHeader(buffer, offset, header));
    }

    /** The worker takes chunks from now on. */
    public static Outgoing ready(long pid) {
        return message(
                ReadyEncoder.BLOCK_LENGTH,
                (buffer, offset, header) -> new ReadyEncoder()
                        .wrapAndApplyHeader(buffer, offset, header)
                        .pid(pid));
    }

    /** What the worker ran first has failed. */
    public static Outgoing unready(SealedPayload failure) {
        return new Written(
                HEADER + UnreadyEncoder.BLOCK_LENGTH,
                failure,
                (buffer, offset, header) -> new UnreadyEncoder().wrapAndApplyHeader(buffer, offset, header));
    }

    /** The worker finishes what it has and ends. */
    public static Outgoing drain() {
        return message(
                DrainEncoder.BLOCK_LENGTH,
                (buffer, offset, header) -> new DrainEncoder().wrapAndApplyHeader(buffer, offset, header));
    }

    /** The worker was told to end, and wants to be drained. */
    public static Outgoing leaving() {
        return message(
                LeavingEncoder.BLOCK_LENGTH,
                (buffer, offset, header) -> new LeavingEncoder().wrapAndApplyHeader(buffer, offset, header));
    }

    /** The sender ends now. */
    public static Outgoing goodbye(int exitCode) {
        return message(
                GoodbyeEncoder.BLOCK_LENGTH,
                (buffer, offset, header) -> new GoodbyeEncoder()
                        .wrapAndApplyHeader(buffer, offset, header)
                        .exitCode(exitCode));
    }

    /** What becomes of the item that runs when its chunk is cancelled. */
    public enum Running {
        /** It ends by itself. */
        LEFT,
        /** Its thread is interrupted. */
        INTERRUPTED
    }

    /** The call no longer waits for a chunk. */
    public static Outgoing cancel(long chunk, Running running) {
        return message(
                CancelEncoder.BLOCK_LENGTH,
                (buffer, offset, header) -> new CancelEncoder()
                        .wrapAndApplyHeader(buffer, offset, header)
                        .chunk(chunk)
                        .interrupt((short) (running == Running.INTERRUPTED ? 1 : 0)));
    }

    /** An announced item may begin. */
    public static Outgoing granted(long chunk, int item) {
        return message(
                GrantedEncoder.BLOCK_LENGTH,
                (buffer, offset, header) -> new GrantedEncoder()
                        .wrapAndApplyHeader(buffer, offset, header)
                        .chunk(chunk)
                        .item(item));
    }

    /** What has not begun of a chunk is wanted back. */
    public static Outgoing recall(long chunk) {
        return message(
                RecallEncoder.BLOCK_LENGTH,
                (buffer, offset, header) -> new RecallEncoder()
                        .wrapAndApplyHeader(buffer, offset, header)
                        .chunk(chunk));
    }

    /** A chunk that was recalled has this many items from now on. */
    public static Outgoing shortened(long chunk, int attempt, int count) {
        return message(
                ShortenedEncoder.BLOCK_LENGTH,
                (buffer, offset, header) -> new ShortenedEncoder()
                        .wrapAndApplyHeader(buffer, offset, header)
                        .chunk(chunk)
                        .attempt(attempt)
                        .count(count));
    }

    /** The item that runs was interrupted and does not end. */
    public static Outgoing stuck(long chunk, int attempt) {
        return message(
                StuckEncoder.BLOCK_LENGTH,
                (buffer, offset, header) -> new StuckEncoder()
                        .wrapAndApplyHeader(buffer, offset, header)
                        .chunk(chunk)
                        .attempt(attempt));
    }

    /** A function, named by an id from now on. */
    public static Outgoing define(int function, SealedPayload payload) {
        return new Written(
                HEADER + DefineEncoder.BLOCK_LENGTH,
                payload,
                (buffer, offset, header) -> new DefineEncoder()
                        .wrapAndApplyHeader(buffer, offset, header)
                        .function(function));
    }

    /** No chunk will name a function any more. */
    public static Outgoing forget(int function) {
        return message(
                ForgetEncoder.BLOCK_LENGTH,
                (buffer, offset, header) -> new ForgetEncoder()
                        .wrapAndApplyHeader(buffer, offset, header)
                        .function(function));
    }
}
