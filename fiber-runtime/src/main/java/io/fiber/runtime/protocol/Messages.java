// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import io.fiber.runtime.protocol.codec.BegunEncoder;
import io.fiber.runtime.protocol.codec.CancelEncoder;
import io.fiber.runtime.protocol.codec.ChallengeEncoder;
import io.fiber.runtime.protocol.codec.DefineEncoder;
import io.fiber.runtime.protocol.codec.DrainEncoder;
import io.fiber.runtime.protocol.codec.DroppedEncoder;
import io.fiber.runtime.protocol.codec.ForgetEncoder;
import io.fiber.runtime.protocol.codec.GoodbyeEncoder;
import io.fiber.runtime.protocol.codec.GrantedEncoder;
import io.fiber.runtime.protocol.codec.HaltingEncoder;
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
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.sbe.MessageEncoderFlyweight;

/**
 * Creates the rare messages; the frequent ones are written by the classes that they concern. {@code fiber-codecs.xml}
 * says what each message means.
 */
public final class Messages {

    /** Used instead of an item in {@code Begun} and {@code Granted}: the chunk's function is deserialized. */
    public static final int FUNCTION = -1;

    private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;

    private Messages() {}

    public static Outgoing hello(int protocolVersion, long number, byte[] nonce) {
        Written<HelloEncoder> hello = new Written<>(new HelloEncoder());
        hello.fields.protocolVersion(protocolVersion).number(number).putNonce(nonce, 0, nonce.length);
        return hello;
    }

    public static Outgoing challenge(int protocolVersion, byte[] nonce, byte[] proof) {
        Written<ChallengeEncoder> challenge = new Written<>(new ChallengeEncoder());
        challenge
                .fields
                .protocolVersion(protocolVersion)
                .putNonce(nonce, 0, nonce.length)
                .putProof(proof, 0, proof.length);
        return challenge;
    }

    public static Outgoing proof(byte[] proof) {
        Written<ProofEncoder> message = new Written<>(new ProofEncoder());
        message.fields.putProof(proof, 0, proof.length);
        return message;
    }

    public static Outgoing refusal(int protocolVersion) {
        Written<RefusalEncoder> refusal = new Written<>(new RefusalEncoder());
        refusal.fields.protocolVersion(protocolVersion);
        return refusal;
    }

    public static Outgoing welcome(byte[] sealed) {
        return new Written<>(new WelcomeEncoder(), SealedPayload.open(Payload.of(sealed)));
    }

    public static Outgoing ready(long pid) {
        Written<ReadyEncoder> ready = new Written<>(new ReadyEncoder());
        ready.fields.pid(pid);
        return ready;
    }

    public static Outgoing unready(SealedPayload failure) {
        return new Written<>(new UnreadyEncoder(), failure);
    }

    public static Outgoing drain() {
        return new Written<>(new DrainEncoder());
    }

    public static Outgoing leaving() {
        return new Written<>(new LeavingEncoder());
    }

    public static Outgoing halting() {
        return new Written<>(new HaltingEncoder());
    }

    public static Outgoing goodbye(int exitCode) {
        Written<GoodbyeEncoder> goodbye = new Written<>(new GoodbyeEncoder());
        goodbye.fields.exitCode(exitCode);
        return goodbye;
    }

    public static Outgoing cancel(long chunk, Running running) {
        Written<CancelEncoder> cancel = Written.ofChunk(chunk, new CancelEncoder());
        cancel.fields.chunk(chunk).interrupt((short) (running == Running.INTERRUPTED ? 1 : 0));
        return cancel;
    }

    public static Outgoing begun(long chunk, int attempt, int item) {
        Written<BegunEncoder> begun = new Written<>(new BegunEncoder());
        begun.fields.chunk(chunk).attempt(attempt).item(item);
        return begun;
    }

    public static Outgoing granted(long chunk, int item) {
        Written<GrantedEncoder> granted = Written.ofChunk(chunk, new GrantedEncoder());
        granted.fields.chunk(chunk).item(item);
        return granted;
    }

    public static Outgoing dropped(long chunk, int attempt) {
        Written<DroppedEncoder> dropped = new Written<>(new DroppedEncoder());
        dropped.fields.chunk(chunk).attempt(attempt);
        return dropped;
    }

    public static Outgoing recall(long chunk) {
        Written<RecallEncoder> recall = Written.ofChunk(chunk, new RecallEncoder());
        recall.fields.chunk(chunk);
        return recall;
    }

    public static Outgoing shortened(long chunk, int attempt, int count) {
        Written<ShortenedEncoder> shortened = new Written<>(new ShortenedEncoder());
        shortened.fields.chunk(chunk).attempt(attempt).count(count);
        return shortened;
    }

    public static Outgoing stuck(long chunk, int attempt) {
        Written<StuckEncoder> stuck = new Written<>(new StuckEncoder());
        stuck.fields.chunk(chunk).attempt(attempt);
        return stuck;
    }

    public static Outgoing define(int function, SealedPayload payload) {
        Written<DefineEncoder> define = new Written<>(new DefineEncoder(), payload);
        define.fields.function(function);
        return define;
    }

    public static Outgoing forget(int function) {
        Written<ForgetEncoder> forget = new Written<>(new ForgetEncoder());
        forget.fields.function(function);
        return forget;
    }

    /**
     * A message whose fields are written when it is created, and copied into each frame to which it is offered. It
     * takes no lambda, because the first use of a lambda takes a fresh process much longer.
     */
    private static final class Written<E extends MessageEncoderFlyweight> implements Outgoing {
        final E fields;

        private final UnsafeBuffer block;
        private final SealedPayload payload;
        private final long flow;

        Written(E fields) {
            this(fields, SealedPayload.none());
        }

        Written(E fields, SealedPayload payload) {
            this(fields, payload, 0);
        }

        private Written(E fields, SealedPayload payload, long flow) {
            this.fields = fields;
            this.block = new UnsafeBuffer(new byte[fields.sbeBlockLength()]);
            this.payload = payload;
            this.flow = flow;
            fields.wrap(block, 0);
        }

        /** A message to the worker that has a chunk, which concerns only this chunk. */
        static <E extends MessageEncoderFlyweight> Written<E> ofChunk(long chunk, E fields) {
            return new Written<>(fields, SealedPayload.none(), chunk);
        }

        @Override
        public long flow() {
            return flow;
        }

        @Override
        public boolean mayPass() {
            return flow != 0;
        }

        @Override
        public int headerLength() {
            return HEADER + block.capacity();
        }

        @Override
        public SealedPayload payload() {
            return payload;
        }

        @Override
        public void encode(MutableDirectBuffer buffer, int offset, Encoders codecs) {
            codecs.header()
                    .wrap(buffer, offset)
                    .blockLength(block.capacity())
                    .templateId(fields.sbeTemplateId())
                    .schemaId(fields.sbeSchemaId())
                    .version(fields.sbeSchemaVersion());
            buffer.putBytes(offset + HEADER, block, 0, block.capacity());
        }
    }

    /** What happens to the running item when its chunk is cancelled. */
    public enum Running {
        LEFT,
        INTERRUPTED
    }
}
