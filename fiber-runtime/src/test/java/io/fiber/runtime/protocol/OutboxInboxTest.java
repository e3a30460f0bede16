// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.protocol.codec.CancelDecoder;
import io.fiber.runtime.protocol.codec.DefineDecoder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.stream.LongStream;
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
}
