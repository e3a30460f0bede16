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

    private Messages() {}

    /** One message. Each is a class and not a lambda, because the first use of a lambda takes a fresh process much longer. */
    private abstract static class Written implements Outgoing {
        private final int headerLength;
        private final SealedPayload payload;

        Written(int blockLength) {
            this(blockLength, SealedPayload.none());
        }

        Written(int blockLength, SealedPayload payload) {
            this.headerLength = MessageHeaderEncoder.ENCODED_LENGTH + blockLength;
            this.payload = payload;
        }

        @Override
        public int headerLength() {
            return headerLength;
        }

        @Override
        public SealedPayload payload() {
            return payload;
        }

        @Override
        public void encode(MutableDirectBuffer buffer, int offset, Encoders codecs) {
            write(buffer, offset, codecs.header);
        }

        /** Writes header and block. */
        abstract void write(MutableDirectBuffer buffer, int offset, MessageHeaderEncoder header);
    }

    /** A worker opens the handshake. */
    public static Outgoing hello(int protocolVersion, long jobNumber, byte[] nonce) {
        return new Written(HelloEncoder.BLOCK_LENGTH) {
            @Override
            void write(MutableDirectBuffer buffer, int offset, MessageHeaderEncoder header) {
                new HelloEncoder()
                        .wrapAndApplyHeader(buffer, offset, header)
                        .protocolVersion(protocolVersion)
                        .jobNumber(jobNumber)
                        .putNonce(nonce, 0, nonce.length);
            }
        };
    }

    /** The master proves itself. */
    public static Outgoing challenge(int protocolVersion, byte[] nonce, byte[] proof) {
        return new Written(ChallengeEncoder.BLOCK_LENGTH) {
            @Override
            void write(MutableDirectBuffer buffer, int offset, MessageHeaderEncoder header) {
                new ChallengeEncoder()
                        .wrapAndApplyHeader(buffer, offset, header)
                        .protocolVersion(protocolVersion)
                        .putNonce(nonce, 0, nonce.length)
                        .putProof(proof, 0, proof.length);
            }
        };
    }

    /** The worker proves itself. */
    public static Outgoing proof(byte[] proof) {
        return new Written(ProofEncoder.BLOCK_LENGTH) {
            @Override
            void write(MutableDirectBuffer buffer, int offset, MessageHeaderEncoder header) {
                new ProofEncoder().wrapAndApplyHeader(buffer, offset, header).putProof(proof, 0, proof.length);
            }
        };
    }

    /** The master speaks another version. */
    public static Outgoing refusal(int protocolVersion) {
        return new Written(RefusalEncoder.BLOCK_LENGTH) {
            @Override
            void write(MutableDirectBuffer buffer, int offset, MessageHeaderEncoder header) {
                new RefusalEncoder().wrapAndApplyHeader(buffer, offset, header).protocolVersion(protocolVersion);
            }
        };
    }

    /** The master lets the worker in. */
    public static Outgoing welcome(byte[] sealed) {
        return new Written(WelcomeEncoder.BLOCK_LENGTH, SealedPayload.open(Payload.of(sealed))) {
            @Override
            void write(MutableDirectBuffer buffer, int offset, MessageHeaderEncoder header) {
                new WelcomeEncoder().wrapAndApplyHeader(buffer, offset, header);
            }
        };
    }

    /** The worker takes chunks from now on. */
    public static Outgoing ready(long pid) {
        return new Written(ReadyEncoder.BLOCK_LENGTH) {
            @Override
            void write(MutableDirectBuffer buffer, int offset, MessageHeaderEncoder header) {
                new ReadyEncoder().wrapAndApplyHeader(buffer, offset, header).pid(pid);
            }
        };
    }

    /** What the worker ran first has failed. */
    public static Outgoing unready(SealedPayload failure) {
        return new Written(UnreadyEncoder.BLOCK_LENGTH, failure) {
            @Override
            void write(MutableDirectBuffer buffer, int offset, MessageHeaderEncoder header) {
                new UnreadyEncoder().wrapAndApplyHeader(buffer, offset, header);
            }
        };
    }

    /** The worker finishes what it has and ends. */
    public static Outgoing drain() {
        return new Written(DrainEncoder.BLOCK_LENGTH) {
            @Override
            void write(MutableDirectBuffer buffer, int offset, MessageHeaderEncoder header) {
                new DrainEncoder().wrapAndApplyHeader(buffer, offset, header);
            }
        };
    }

    /** The worker was told to end, and wants to be drained. */
    public static Outgoing leaving() {
        return new Written(LeavingEncoder.BLOCK_LENGTH) {
            @Override
            void write(MutableDirectBuffer buffer, int offset, MessageHeaderEncoder header) {
                new LeavingEncoder().wrapAndApplyHeader(buffer, offset, header);
            }
        };
    }

    /** The sender ends now. */
    public static Outgoing goodbye(int exitCode) {
        return new Written(GoodbyeEncoder.BLOCK_LENGTH) {
            @Override
            void write(MutableDirectBuffer buffer, int offset, MessageHeaderEncoder header) {
                new GoodbyeEncoder().wrapAndApplyHeader(buffer, offset, header).exitCode(exitCode);
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
        return new Written(CancelEncoder.BLOCK_LENGTH) {
            @Override
            void write(MutableDirectBuffer buffer, int offset, MessageHeaderEncoder header) {
                new CancelEncoder()
                        .wrapAndApplyHeader(buffer, offset, header)
                        .chunk(chunk)
                        .interrupt((short) (running == Running.INTERRUPTED ? 1 : 0));
            }
        };
    }

    /** An announced item may begin. */
    public static Outgoing granted(long chunk, int item) {
        return new Written(GrantedEncoder.BLOCK_LENGTH) {
            @Override
            void write(MutableDirectBuffer buffer, int offset, MessageHeaderEncoder header) {
                new GrantedEncoder()
                        .wrapAndApplyHeader(buffer, offset, header)
                        .chunk(chunk)
                        .item(item);
            }
        };
    }

    /** What has not begun of a chunk is wanted back. */
    public static Outgoing recall(long chunk) {
        return new Written(RecallEncoder.BLOCK_LENGTH) {
            @Override
            void write(MutableDirectBuffer buffer, int offset, MessageHeaderEncoder header) {
                new RecallEncoder().wrapAndApplyHeader(buffer, offset, header).chunk(chunk);
            }
        };
    }

    /** A chunk that was recalled has this many items from now on. */
    public static Outgoing shortened(long chunk, int attempt, int count) {
        return new Written(ShortenedEncoder.BLOCK_LENGTH) {
            @Override
            void write(MutableDirectBuffer buffer, int offset, MessageHeaderEncoder header) {
                new ShortenedEncoder()
                        .wrapAndApplyHeader(buffer, offset, header)
                        .chunk(chunk)
                        .attempt(attempt)
                        .count(count);
            }
        };
    }

    /** The item that runs was interrupted and does not end. */
    public static Outgoing stuck(long chunk, int attempt) {
        return new Written(StuckEncoder.BLOCK_LENGTH) {
            @Override
            void write(MutableDirectBuffer buffer, int offset, MessageHeaderEncoder header) {
                new StuckEncoder()
                        .wrapAndApplyHeader(buffer, offset, header)
                        .chunk(chunk)
                        .attempt(attempt);
            }
        };
    }

    /** A function, named by an id from now on. */
    public static Outgoing define(int function, SealedPayload payload) {
        return new Written(DefineEncoder.BLOCK_LENGTH, payload) {
            @Override
            void write(MutableDirectBuffer buffer, int offset, MessageHeaderEncoder header) {
                new DefineEncoder().wrapAndApplyHeader(buffer, offset, header).function(function);
            }
        };
    }

    /** No chunk will name a function any more. */
    public static Outgoing forget(int function) {
        return new Written(ForgetEncoder.BLOCK_LENGTH) {
            @Override
            void write(MutableDirectBuffer buffer, int offset, MessageHeaderEncoder header) {
                new ForgetEncoder().wrapAndApplyHeader(buffer, offset, header).function(function);
            }
        };
    }
}
