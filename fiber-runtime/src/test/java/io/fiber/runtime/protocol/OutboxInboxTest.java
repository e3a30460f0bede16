// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.protocol.codec.CancelDecoder;
import io.fiber.runtime.protocol.codec.DefineDecoder;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.stream.LongStream;
import org.agrona.MutableDirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes into an outbox comes out of an inbox: the same messages, in the same order, whatever the link does. */
class OutboxInboxTest {

    private static final int GREATEST_PAYLOAD_BYTES = 3 << 20;

    private record Sent(int template, long number, SealedPayload payload) {}

    @ParameterizedTest
    @ValueSource(ints = {1024, 1025, 1408, 2048, 8160, 32_768, 65_000})
    void randomMixesArriveWholeAndInOrderSealedOrNotThroughLinksThatAreOftenFull(int maxFrameLength) {
        for (int seed = 0; seed < 12; seed++) {
            roundTrip(maxFrameLength, seed, seed % 2 == 0, false);
        }
    }

    @Test
    void manySmallMessagesArriveInOrder() {
        for (int seed = 0; seed < 60; seed++) {
            roundTrip(1024 + seed * 7, seed, seed % 2 == 0, true);
        }
    }

    private static void roundTrip(int maxFrameLength, int seed, boolean sealed, boolean small) {
        Random random = new Random(seed * 31L + maxFrameLength);
        TestLink link = TestLink.pair(maxFrameLength, TestLink.Reach.OPEN);
        int fullPercent = random.nextInt(90);
        link.room(() -> random.nextInt(100) >= fullPercent);
        Outbox outbox = new Outbox(link, new Encoders());
        List<Sent> received = new ArrayList<>();
        Inbox inbox = new Inbox(message -> received.add(read(message)), 4 << 20);
        if (sealed) {
            outbox.sealWith(new TestSeal());
            inbox.openWith(new TestSeal());
        }
        Queue<Sent> waiting = new ArrayDeque<>(messages(random, small));
        List<Sent> accepted = new ArrayList<>();
        long cycles = 0;
        while (!waiting.isEmpty() || !outbox.isEmpty()) {
            for (int i = random.nextInt(20); i > 0 && !waiting.isEmpty(); i--) {
                Sent next = waiting.element();
                if (!outbox.offer(outgoing(next))) {
                    break;
                }
                accepted.add(waiting.remove());
            }
            outbox.flush(cycles, Long.MAX_VALUE);
            link.peer().poll(inbox, random.nextInt(100));
            assertThat(inbox.fault()).as("seed %d", seed).isNull();
            assertThat(outbox.closeReason()).isNull();
            assertThat(++cycles).isLessThan(10_000_000);
        }
        link.peer().poll(inbox, Integer.MAX_VALUE);
        assertThat(inbox.fault()).as("seed %d", seed).isNull();
        assertThat(received).as("seed %d", seed).hasSameSizeAs(accepted);
        for (int i = 0; i < received.size(); i++) {
            assertSame(received.get(i), accepted.get(i), seed);
        }
    }

    private static List<Sent> messages(Random random, boolean small) {
        List<Sent> messages = new ArrayList<>();
        for (int i = 0; i < (small ? 500 : 40); i++) {
            if (random.nextInt(3) == 0) {
                messages.add(new Sent(CancelDecoder.TEMPLATE_ID, random.nextLong(), SealedPayload.none()));
            } else {
                messages.add(new Sent(DefineDecoder.TEMPLATE_ID, random.nextInt(), payload(random, small)));
            }
        }
        return messages;
    }

    private static SealedPayload payload(Random random, boolean small) {
        int length = switch (random.nextInt(small ? 2 : 12)) {
            case 0 -> random.nextInt(5);
            case 1 -> random.nextInt(300);
            case 2 -> random.nextInt(GREATEST_PAYLOAD_BYTES);
            case 3 -> 1 << random.nextInt(20);
            case 4 -> (1 << 16) - 2 + random.nextInt(5);
            default -> random.nextInt(10_000);
        };
        List<byte[]> segments = new ArrayList<>();
        for (int left = length; left > 0; ) {
            byte[] segment = new byte[Math.min(left, 1 + random.nextInt(left))];
            random.nextBytes(segment);
            segments.add(segment);
            left -= segment.length;
        }
        return length == 0
                ? SealedPayload.none()
                : new SealedPayload(Payload.of(segments), 1 + random.nextInt(1000), random.nextLong());
    }

    private static Outgoing outgoing(Sent sent) {
        return switch (sent.template()) {
            case CancelDecoder.TEMPLATE_ID -> Messages.cancel(sent.number(), Messages.Running.LEFT);
            default -> Messages.define((int) sent.number(), sent.payload());
        };
    }

    private static Sent read(Message message) {
        long number = switch (message.templateId()) {
            case CancelDecoder.TEMPLATE_ID -> message.as(new CancelDecoder()).chunk();
            default -> message.as(new DefineDecoder()).function();
        };
        return new Sent(message.templateId(), number, message.payload());
    }

    private static void assertSame(Sent actual, Sent expected, int seed) {
        assertThat(actual.template()).as("seed %d", seed).isEqualTo(expected.template());
        assertThat(actual.number()).isEqualTo(expected.number());
        assertThat(actual.payload().sealer()).isEqualTo(expected.payload().sealer());
        assertThat(actual.payload().sealCounter()).isEqualTo(expected.payload().sealCounter());
        assertThat(Arrays.equals(
                        actual.payload().bytes().toArray(),
                        expected.payload().bytes().toArray()))
                .isTrue();
    }

    @Test
    void whatMustNotBeRefusedKeepsItsPlaceBehindAPayloadThatIsUnderWay() {
        TestLink link = TestLink.pair(1024, TestLink.Reach.OPEN);
        boolean[] open = {false};
        link.room(() -> open[0]);
        Outbox outbox = new Outbox(link, new Encoders());
        List<Sent> received = new ArrayList<>();
        Inbox inbox = new Inbox(message -> received.add(read(message)), 1 << 20);
        SealedPayload payload = new SealedPayload(Payload.of(new byte[10_000]), 1, 1);
        assertThat(outbox.offer(Messages.define(4, payload))).isTrue();
        outbox.post(Messages.cancel(5, Messages.Running.INTERRUPTED));
        outbox.post(Messages.cancel(6, Messages.Running.INTERRUPTED));
        assertThat(outbox.offer(Messages.cancel(7, Messages.Running.INTERRUPTED)))
                .isFalse();
        open[0] = true;
        for (int i = 0; i < 5; i++) {
            outbox.flush(i, Long.MAX_VALUE);
        }
        link.peer().poll(inbox, 100);
        assertThat(received).extracting(Sent::number).containsExactly(4L, 5L, 6L);
        assertThat(outbox.isEmpty()).isTrue();
    }

    @Test
    void whatMustNotBeRefusedIsNotOvertakenWhenTheLinkHasRoomAgain() {
        TestLink link = TestLink.pair(1024, TestLink.Reach.OPEN);
        boolean[] open = {false};
        link.room(() -> open[0]);
        Outbox outbox = new Outbox(link, new Encoders());
        List<Long> received = new ArrayList<>();
        Inbox inbox = new Inbox(message -> received.add(read(message).number()), 1 << 20);
        long count = 0;
        while (outbox.offer(Messages.cancel(count, Messages.Running.LEFT))) {
            count++;
        }
        outbox.post(Messages.cancel(count++, Messages.Running.LEFT));
        open[0] = true;
        outbox.post(Messages.cancel(count++, Messages.Running.LEFT));
        outbox.flush(0, Long.MAX_VALUE);
        link.peer().poll(inbox, 100);
        assertThat(received)
                .containsExactlyElementsOf(LongStream.range(0, count).boxed().toList());
    }

    @Test
    void messageBeforeTheSealLeavesUnsealedAndTheNextOneSealed() {
        TestLink link = TestLink.pair(1024, TestLink.Reach.OPEN);
        Outbox outbox = new Outbox(link, new Encoders());
        outbox.post(Messages.welcome(new byte[50]));
        outbox.sealWith(new TestSeal());
        outbox.post(Messages.cancel(1, Messages.Running.INTERRUPTED));
        outbox.flush(0, Long.MAX_VALUE);
        List<Integer> seen = new ArrayList<>();
        Inbox inbox = new Inbox(message -> seen.add(message.templateId()), 1 << 20);
        link.peer().poll(inbox, 1);
        inbox.openWith(new TestSeal());
        link.peer().poll(inbox, 100);
        assertThat(seen).containsExactly(100, CancelDecoder.TEMPLATE_ID);
        assertThat(inbox.fault()).isNull();
    }

    @Test
    void payloadWithoutSealDoesNotLeaveOverASealedLink() {
        TestLink link = TestLink.pair(1024, TestLink.Reach.OPEN);
        Outbox outbox = new Outbox(link, new Encoders());
        outbox.sealWith(new TestSeal());
        assertThat(outbox.offer(Messages.define(1, SealedPayload.open(Payload.of(new byte[] {1, 2, 3})))))
                .isFalse();
        assertThat(outbox.closeReason()).startsWith("A payload of 3 bytes without a seal was about to be sent");
        assertThat(outbox.flush(0, 0)).isZero();
        assertThat(link.sent()).isEmpty();
    }

    @Test
    void sealThatComesWhileTheEndOfTheHandshakeStillWaitsClosesTheConnection() {
        TestLink link = TestLink.pair(1024, TestLink.Reach.OPEN);
        link.room(() -> false);
        Outbox outbox = new Outbox(link, new Encoders());
        outbox.post(Messages.hello(1, 1, new byte[32]));
        outbox.flush(0, Long.MAX_VALUE);
        outbox.post(Messages.welcome(new byte[50]));
        outbox.sealWith(new TestSeal());
        assertThat(outbox.closeReason()).isEqualTo("The end of the handshake did not fit into the link.");
    }

    @Test
    void heartbeatLeavesWhenNothingElseDidAndIsNoWork() {
        TestLink link = TestLink.pair(1024, TestLink.Reach.OPEN);
        Outbox outbox = new Outbox(link, new Encoders());
        outbox.flush(0, 100);
        assertThat(link.sent()).isEmpty();
        assertThat(outbox.flush(100, 100)).isZero();
        assertThat(link.sent()).hasSize(1);
        assertThat(outbox.flush(150, 100)).isZero();
        outbox.post(Messages.drain());
        assertThat(outbox.flush(190, 100)).isEqualTo(1);
        assertThat(outbox.flush(210, 100)).isZero();
        assertThat(link.sent()).hasSize(2);
        assertThat(outbox.flush(290, 100)).isZero();
        assertThat(link.sent()).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1_000_000_000_000L, -50, 0, 1_000_000_000_000L, Long.MAX_VALUE - 50})
    void firstHeartbeatDoesNotDependOnWhereTheClockBegins(long startNs) {
        TestLink link = TestLink.pair(1024, TestLink.Reach.OPEN);
        Outbox outbox = new Outbox(link, new Encoders());
        outbox.flush(startNs, Long.MAX_VALUE);
        outbox.flush(startNs + 99, 100);
        assertThat(link.sent()).isEmpty();
        outbox.flush(startNs + 100, 100);
        assertThat(link.sent()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1024, 16_380, 131_068})
    void largeArrayArrivesAsOneThatItsOwnerGetsWithoutACopy(int maxFrameLength) throws IOException {
        TestLink link = TestLink.pair(maxFrameLength, TestLink.Reach.OPEN);
        Outbox outbox = new Outbox(link, new Encoders());
        List<Payload> received = new ArrayList<>();
        Inbox inbox = new Inbox(message -> received.add(message.payload().bytes()), 8 << 20);
        byte[] first = new byte[700_000];
        byte[] second = new byte[300_001];
        new Random(1).nextBytes(first);
        new Random(2).nextBytes(second);
        PayloadOutput out = new PayloadOutput();
        out.writeInt(1);
        out.writeArray(first);
        out.writeArray(second);
        out.writeInt(2);
        assertThat(outbox.offer(Messages.define(4, SealedPayload.open(out.toPayload()))))
                .isTrue();
        for (long cycle = 0; received.isEmpty(); cycle++) {
            outbox.flush(cycle, Long.MAX_VALUE);
            link.peer().poll(inbox, Integer.MAX_VALUE);
            assertThat(inbox.fault()).isNull();
        }
        Payload payload = received.get(0);
        PayloadInput reader = payload.open();
        PayloadInput owner = payload.openForOwner();
        for (PayloadInput in : List.of(reader, owner)) {
            assertThat(in.readInt()).isEqualTo(1);
        }
        byte[] copy = reader.readArray(first.length);
        byte[] owned = owner.readArray(first.length);
        assertThat(copy).isEqualTo(first);
        assertThat(owned).isEqualTo(first);
        assertThat(payload.segments()).noneMatch(segment -> segment == copy).anyMatch(segment -> segment == owned);
        assertThat(owner.readArray(second.length)).isEqualTo(second);
        assertThat(owner.readInt()).isEqualTo(2);
    }

    /** A function that is sent, as if it belonged to a flow. */
    private record OfFlow(Outgoing message, long flow, boolean mayPass) implements Outgoing {
        @Override
        public int headerLength() {
            return message.headerLength();
        }

        @Override
        public SealedPayload payload() {
            return message.payload();
        }

        @Override
        public void encode(MutableDirectBuffer buffer, int offset, Encoders codecs) {
            message.encode(buffer, offset, codecs);
        }
    }

    private static Outgoing ofFlow(int number, int bytes, long flow, boolean mayPass) {
        SealedPayload payload = SealedPayload.open(Payload.of(new byte[bytes]));
        return new OfFlow(Messages.define(number, payload), flow, mayPass);
    }

    @Test
    void shortMessageOfAnotherFlowPassesALargePayloadAndOthersDoNot() {
        TestLink link = TestLink.pair(1024, TestLink.Reach.OPEN);
        int[] frames = {0};
        link.room(() -> frames[0]-- > 0);
        Outbox outbox = new Outbox(link, new Encoders());
        List<Sent> received = new ArrayList<>();
        Inbox inbox = new Inbox(message -> received.add(read(message)), 1 << 20);
        assertThat(outbox.offer(ofFlow(1, 100_000, 8, false))).isTrue();
        frames[0] = 3;
        outbox.flush(0, Long.MAX_VALUE);
        assertThat(outbox.offer(Messages.define(2, SealedPayload.none())))
                .as("without a flow")
                .isFalse();
        assertThat(outbox.offer(ofFlow(3, 10, 8, true))).as("of the same flow").isFalse();
        assertThat(outbox.offer(ofFlow(4, 10, 9, false)))
                .as("one that keeps its place")
                .isFalse();
        assertThat(outbox.offer(ofFlow(5, 2_000, 9, true)))
                .as("longer than a frame")
                .isFalse();
        outbox.post(Messages.cancel(8, Messages.Running.LEFT));
        outbox.post(Messages.cancel(7, Messages.Running.LEFT));
        frames[0] = 3;
        outbox.flush(1, Long.MAX_VALUE);
        frames[0] = 1;
        assertThat(outbox.offer(ofFlow(6, 10, 9, true))).isTrue();
        frames[0] = Integer.MAX_VALUE;
        for (long cycle = 2; !outbox.isEmpty(); cycle++) {
            outbox.flush(cycle, Long.MAX_VALUE);
        }
        link.peer().poll(inbox, Integer.MAX_VALUE);
        assertThat(inbox.fault()).isNull();
        assertThat(received).extracting(Sent::number).containsExactly(7L, 6L, 1L, 8L);
        assertThat(received.get(2).payload().length()).isEqualTo(100_000);
    }
}
