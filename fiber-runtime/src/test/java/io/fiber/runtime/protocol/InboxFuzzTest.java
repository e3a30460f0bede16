// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.protocol.codec.AssignDecoder;
import io.fiber.runtime.protocol.codec.BegunDecoder;
import io.fiber.runtime.protocol.codec.ChallengeDecoder;
import io.fiber.runtime.protocol.codec.HelloDecoder;
import io.fiber.runtime.protocol.codec.ProofDecoder;
import io.fiber.runtime.protocol.codec.ResultDecoder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tens of thousands of frames that make no sense, or nearly make sense. A failure names its seed. */
class InboxFuzzTest {

    private static final long LIMIT_BYTES = 2L << 30;

    private long handled;
    private long handledBytes;

    @Test
    void randomBytesEndInAFaultOrInMessagesAndNeverInAnException() {
        int faults = 0;
        for (int seed = 0; seed < 30_000; seed++) {
            Random random = new Random(seed);
            byte[] frame = new byte[random.nextInt(300)];
            random.nextBytes(frame);
            if (frame.length > 12 && seed % 2 == 0) {
                ByteBuffer.wrap(frame)
                        .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                        .putShort(0, (short) random.nextInt(frame.length))
                        .putShort(2, (short) random.nextInt(100))
                        .putShort(4, (short) random.nextInt(120))
                        .putShort(6, (short) 71);
            }
            faults += feed(seed, List.of(frame), seed % 3 == 0) == null ? 0 : 1;
        }
        assertThat(faults).isGreaterThan(29_000);
    }

    @Test
    void framesOfARealConversationWithChangedBytesNeverThrowAndTakeNoMoreMemoryThanArrived() {
        List<byte[]> conversation = conversation();
        int faults = 0;
        for (int seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            List<byte[]> changed = new ArrayList<>();
            conversation.forEach(frame -> changed.add(frame.clone()));
            for (int i = random.nextInt(6); i >= 0; i--) {
                mutate(changed, random);
            }
            faults += feed(seed, changed, false) == null ? 0 : 1;
        }
        assertThat(faults).isBetween(5_000, 19_999);
        assertThat(handled).isGreaterThan(50_000);
    }

    @Test
    void anyChangeOfSealedHeadersIsAFault() {
        for (int seed = 0; seed < 5_000; seed++) {
            Random random = new Random(seed);
            TestSeal seal = new TestSeal();
            byte[] frame = new Frames()
                    .add(Messages.drain())
                    .add(Messages.cancel(seed, Messages.Running.INTERRUPTED))
                    .toFrame(seal);
            frame[2 + random.nextInt(frame.length - 2)] ^= (byte) (1 << random.nextInt(8));
            assertThat(feed(seed, List.of(frame), true)).isNotNull();
        }
    }

    private @Nullable String feed(int seed, List<byte[]> frames, boolean sealed) {
        Inbox inbox = new Inbox(this::decode, LIMIT_BYTES);
        if (sealed) {
            inbox.openWith(new TestSeal());
        }
        long before = handledBytes;
        long arrived = 0;
        try {
            for (byte[] frame : frames) {
                arrived += frame.length;
                InboxTest.receive(inbox, frame);
            }
        } catch (RuntimeException | Error e) {
            throw new AssertionError("seed " + seed, e);
        }
        assertThat(handledBytes - before).as("seed %d", seed).isLessThanOrEqualTo(arrived);
        return inbox.fault();
    }

    /** Reads every field, as the machines would. */
    private void decode(Message message) {
        handled++;
        handledBytes += message.payload().length();
        switch (message.templateId()) {
            case HelloDecoder.TEMPLATE_ID -> message.as(new HelloDecoder()).getNonce(new byte[32], 0, 32);
            case ChallengeDecoder.TEMPLATE_ID ->
                message.as(new ChallengeDecoder()).getProof(new byte[32], 0, 32);
            case ProofDecoder.TEMPLATE_ID -> message.as(new ProofDecoder()).getProof(new byte[32], 0, 32);
            case AssignDecoder.TEMPLATE_ID -> message.as(new AssignDecoder()).announce();
            case ResultDecoder.TEMPLATE_ID -> message.as(new ResultDecoder()).count();
            case BegunDecoder.TEMPLATE_ID -> message.as(new BegunDecoder()).item();
            default -> {}
        }
    }

    private static List<byte[]> conversation() {
        TestLink link = TestLink.pair(1024, TestLink.Reach.OPEN);
        Outbox outbox = new Outbox(link, new Encoders());
        outbox.offer(Messages.hello(1, 7, new byte[32]));
        outbox.offer(Messages.challenge(1, new byte[32], new byte[32]));
        outbox.flush(0, Long.MAX_VALUE);
        outbox.offer(Messages.proof(new byte[32]));
        outbox.offer(Messages.welcome(new byte[100]));
        outbox.flush(0, Long.MAX_VALUE);
        outbox.offer(Messages.define(1, new SealedPayload(Payload.of(new byte[3000]), 1, 1)));
        outbox.offer(Messages.unready(new SealedPayload(Payload.of(new byte[20]), 1, 2)));
        outbox.offer(Messages.cancel(3, Messages.Running.INTERRUPTED));
        outbox.offer(Messages.define(3, new SealedPayload(Payload.of(new byte[300]), 1, 2)));
        outbox.offer(Messages.shortened(1, 2, 3));
        outbox.flush(0, Long.MAX_VALUE);
        outbox.post(Messages.goodbye(0));
        outbox.flush(0, Long.MAX_VALUE);
        assertThat(outbox.isEmpty()).isTrue();
        return new ArrayList<>(link.sent());
    }

    private static void mutate(List<byte[]> frames, Random random) {
        int which = random.nextInt(frames.size());
        byte[] frame = frames.get(which);
        switch (random.nextInt(7)) {
            case 0 -> frame[random.nextInt(frame.length)] ^= (byte) (1 << random.nextInt(8));
            case 1 -> frame[random.nextInt(Math.min(frame.length, 60))] = (byte) random.nextInt();
            case 2 -> frames.set(which, java.util.Arrays.copyOf(frame, random.nextInt(frame.length) + 1));
            case 3 -> frames.set(which, java.util.Arrays.copyOf(frame, frame.length + random.nextInt(40)));
            case 4 -> frames.add(which, frame.clone());
            case 5 -> frames.add(random.nextInt(frames.size()), frames.get(which));
            default -> {
                if (frames.size() > 1) {
                    frames.remove(which);
                }
            }
        }
    }
}
