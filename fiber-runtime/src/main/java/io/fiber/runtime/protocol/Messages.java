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
import org.agrona.sbe.MessageEncoderFlyweight;

/** The messages that are sent now and then; the frequent ones are written by what they are about. */
public final class Messages {

    /** Stands in a {@code Begun} and a {@code Granted} in the place of an item: the chunk's function is deserialized. */
    public static final int FUNCTION = -1;

    private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;

    private Messages() {}

    /**
     * A message of which the encoder is put over the block behind the header. One that has fields is a class of its own and no
     * lambda, because the first use of a lambda takes a fresh process much longer.
     */
    private static class Written<E extends MessageEncoderFlyweight> implements Outgoing {
        private final E encoder;
        private final SealedPayload payload;

        Written(E encoder) {
            this(encoder, SealedPayload.none());
        }

        Written(E encoder, SealedPayload payload) {
            this.encoder = encoder;
            this.payload = payload;
        }

        @Override
        public final int headerLength() {
            return HEADER + encoder.sbeBlockLength();
        }

        @Override
        public final SealedPayload payload() {
            return payload;
        }

        @Override
        public final void encode(MutableDirectBuffer buffer, int offset, Encoders codecs) {
            codecs.header
                    .wrap(buffer, offset)
                    .blockLength(encoder.sbeBlockLength())
                    .templateId(encoder.sbeTemplateId())
                    .schemaId(encoder.sbeSchemaId())
                    .version(encoder.sbeSchemaVersion());
            encoder.wrap(buffer, offset + HEADER);
            write(encoder);
        }

        /** Writes the fields. */
        @SuppressWarnings("UnusedVariable") // a message may have none
        void write(E fields) {}
    }

    /** A worker opens the handshake. */
    public static Outgoing hello(int protocolVersion, long jobNumber, byte[] nonce) {
        return new Written<>(new HelloEncoder()) {
            @Override
            void write(HelloEncoder hello) {
                hello.protocolVersion(protocolVersion).jobNumber(jobNumber).putNonce(nonce, 0, nonce.length);
            }
        };
    }

    /** The master proves itself. */
    public static Outgoing challenge(int protocolVersion, byte[] nonce, byte[] proof) {
        return new Written<>(new ChallengeEncoder()) {
            @Override
            void write(ChallengeEncoder challenge) {
                challenge
                        .protocolVersion(protocolVersion)
                        .putNonce(nonce, 0, nonce.length)
                        .putProof(proof, 0, proof.length);
            }
        };
    }

    /** The worker proves itself. */
    public static Outgoing proof(byte[] proof) {
        return new Written<>(new ProofEncoder()) {
            @Override
            void write(ProofEncoder encoder) {
                encoder.putProof(proof, 0, proof.length);
            }
        };
    }

    /** The master speaks another version. */
    public static Outgoing refusal(int protocolVersion) {
        return new Written<>(new RefusalEncoder()) {
            @Override
            void write(RefusalEncoder refusal) {
                refusal.protocolVersion(protocolVersion);
            }
        };
    }

    /** The master lets the worker in. */
    public static Outgoing welcome(byte[] sealed) {
        return new Written<>(new WelcomeEncoder(), SealedPayload.open(Payload.of(sealed)));
    }

    /** The worker takes chunks from now on. */
    public static Outgoing ready(long pid) {
        return new Written<>(new ReadyEncoder()) {
            @Override
            void write(ReadyEncoder ready) {
                ready.pid(pid);
            }
        };
    }

    /** What the worker ran first has failed. */
    public static Outgoing unready(SealedPayload failure) {
        return new Written<>(new UnreadyEncoder(), failure);
    }

    /** The worker finishes what it has and ends. */
    public static Outgoing drain() {
        return new Written<>(new DrainEncoder());
    }

    /** The worker was told to end, and wants to be drained. */
    public static Outgoing leaving() {
        return new Written<>(new LeavingEncoder());
    }

    /** The sender ends now. */
    public static Outgoing goodbye(int exitCode) {
        return new Written<>(new GoodbyeEncoder()) {
            @Override
            void write(GoodbyeEncoder goodbye) {
                goodbye.exitCode(exitCode);
            }
        };
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
        return new Written<>(new CancelEncoder()) {
            @Override
            void write(CancelEncoder cancel) {
                cancel.chunk(chunk).interrupt((short) (running == Running.INTERRUPTED ? 1 : 0));
            }
        };
    }

    /** An announced item may begin. */
    public static Outgoing granted(long chunk, int item) {
        return new Written<>(new GrantedEncoder()) {
            @Override
            void write(GrantedEncoder granted) {
                granted.chunk(chunk).item(item);
            }
        };
    }

    /** What has not begun of a chunk is wanted back. */
    public static Outgoing recall(long chunk) {
        return new Written<>(new RecallEncoder()) {
            @Override
            void write(RecallEncoder recall) {
                recall.chunk(chunk);
            }
        };
    }

    /** A chunk that was recalled has this many items from now on. */
    public static Outgoing shortened(long chunk, int attempt, int count) {
        return new Written<>(new ShortenedEncoder()) {
            @Override
            void write(ShortenedEncoder shortened) {
                shortened.chunk(chunk).attempt(attempt).count(count);
            }
        };
    }

    /** The item that runs was interrupted and does not end. */
    public static Outgoing stuck(long chunk, int attempt) {
        return new Written<>(new StuckEncoder()) {
            @Override
            void write(StuckEncoder stuck) {
                stuck.chunk(chunk).attempt(attempt);
            }
        };
    }

    /** A function, named by an id from now on. */
    public static Outgoing define(int function, SealedPayload payload) {
        return new Written<>(new DefineEncoder(), payload) {
            @Override
            void write(DefineEncoder define) {
                define.function(function);
            }
        };
    }

    /** No chunk will name a function any more. */
    public static Outgoing forget(int function) {
        return new Written<>(new ForgetEncoder()) {
            @Override
            void write(ForgetEncoder forget) {
                forget.function(function);
            }
        };
    }
}
