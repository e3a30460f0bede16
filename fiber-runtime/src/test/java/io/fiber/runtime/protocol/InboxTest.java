// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.SerializationException;
import io.fiber.runtime.protocol.codec.AssignDecoder;
import io.fiber.runtime.protocol.codec.BegunDecoder;
import io.fiber.runtime.protocol.codec.CancelDecoder;
import io.fiber.runtime.protocol.codec.ChallengeDecoder;
import io.fiber.runtime.protocol.codec.DefineDecoder;
import io.fiber.runtime.protocol.codec.DroppedDecoder;
import io.fiber.runtime.protocol.codec.ForgetDecoder;
import io.fiber.runtime.protocol.codec.GoodbyeDecoder;
import io.fiber.runtime.protocol.codec.GrantedDecoder;
import io.fiber.runtime.protocol.codec.HeartbeatDecoder;
import io.fiber.runtime.protocol.codec.HelloDecoder;
import io.fiber.runtime.protocol.codec.ProofDecoder;
import io.fiber.runtime.protocol.codec.ReadyDecoder;
import io.fiber.runtime.protocol.codec.RecallDecoder;
import io.fiber.runtime.protocol.codec.RefusalDecoder;
import io.fiber.runtime.protocol.codec.ResultDecoder;
import io.fiber.runtime.protocol.codec.RpcMessageDecoder;
import io.fiber.runtime.protocol.codec.SegmentDecoder;
import io.fiber.runtime.protocol.codec.ShortenedDecoder;
import io.fiber.runtime.protocol.codec.StuckDecoder;
import io.fiber.runtime.protocol.codec.UnreadyDecoder;
import io.fiber.runtime.protocol.codec.WelcomeDecoder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.agrona.sbe.MessageDecoderFlyweight;
import org.junit.jupiter.api.Test;

/** Frames that a peer should not have sent. */
class InboxTest {

    private static final byte[] NOTHING = {};

    private static final List<MessageDecoderFlyweight> DECODERS = List.of(
            new AssignDecoder(),
            new BegunDecoder(),
            new CancelDecoder(),
            new ChallengeDecoder(),
            new DefineDecoder(),
            new DroppedDecoder(),
            new ForgetDecoder(),
            new GoodbyeDecoder(),
            new GrantedDecoder(),
            new HeartbeatDecoder(),
            new HelloDecoder(),
            new ProofDecoder(),
            new ReadyDecoder(),
            new RecallDecoder(),
            new RefusalDecoder(),
            new ResultDecoder(),
            new RpcMessageDecoder(),
            new ShortenedDecoder(),
            new StuckDecoder(),
            new UnreadyDecoder(),
            new WelcomeDecoder());

    private final List<Integer> seen = new ArrayList<>();
    private final Inbox inbox = new Inbox(message -> seen.add(message.templateId()), 1 << 20);

    @Test
    void messageBehindTheOneThatEndsTheHandshakeIsRefusedBecauseNobodySealedIt() {
        List<Integer> handled = new ArrayList<>();
        Inbox[] self = new Inbox[1];
        self[0] = new Inbox(
                message -> {
                    handled.add(message.templateId());
                    self[0].openWith(new TestSeal());
                },
                1 << 20);
        receive(
                self[0],
                new Frames()
                        .add(Messages.proof(new byte[32]))
                        .result(4, 4, new byte[4])
                        .toFrame());
        assertThat(handled).containsExactly(ProofDecoder.TEMPLATE_ID);
        assertThat(self[0].fault()).isEqualTo("The peer sent unsealed data after the end of the handshake.");
    }

    @Test
    void frameThatNobodySealedIsRefusedAfterTheHandshake() {
        inbox.openWith(new TestSeal());
        receive(inbox, Frames.of(Messages.drain()));
        assertThat(seen).isEmpty();
        assertThat(inbox.fault()).isEqualTo("The peer sent a frame that the peer did not seal.");
    }

    @Test
    void frameThatIsReplayedIsRefused() {
        inbox.openWith(new TestSeal());
        byte[] frame = new Frames().add(Messages.drain()).toFrame(new TestSeal());
        receive(inbox, frame);
        assertThat(seen).hasSize(1);
        receive(inbox, frame);
        assertThat(seen).hasSize(1);
        assertThat(inbox.fault()).contains("did not seal");
    }

    @Test
    void bodyWithoutSealIsRefusedAfterTheHandshakeAlsoWhenItIsAnnouncedToBeLong() {
        for (long length : new long[] {4, 100_000}) {
            Inbox sealed = new Inbox(message -> seen.add(message.templateId()), 1 << 20);
            sealed.openWith(new TestSeal());
            receive(sealed, new Frames().result(length, 4, new byte[4]).toFrame(new TestSeal()));
            assertThat(seen).isEmpty();
            assertThat(sealed.fault())
                    .isEqualTo("The peer sent a payload without a seal, on a link that others can reach.");
        }
    }

    @Test
    void emptyBodyNeedsNoSeal() {
        inbox.openWith(new TestSeal());
        receive(
                inbox,
                new Frames()
                        .add(AssignDecoder.TEMPLATE_ID, AssignDecoder.BLOCK_LENGTH, 0, 0, NOTHING)
                        .toFrame(new TestSeal()));
        assertThat(seen).containsExactly(AssignDecoder.TEMPLATE_ID);
        assertThat(inbox.fault()).isNull();
    }

    @Test
    void blockShorterThanItsMessageIsRefusedForEveryMessage() {
        for (MessageDecoderFlyweight decoder : DECODERS) {
            List<Integer> read = new ArrayList<>();
            Inbox one = new Inbox(message -> read.add(message.as(decoder).sbeTemplateId()), 1 << 20);
            int template = decoder.sbeTemplateId();
            receive(
                    one,
                    new Frames()
                            .add(template, decoder.sbeBlockLength(), 0, 0, NOTHING)
                            .add(template, decoder.sbeBlockLength() - 1, 0, 0, NOTHING)
                            .toFrame());
            assertThat(read).containsExactly(template);
            assertThat(one.fault())
                    .isEqualTo("The peer sent a message " + template + " of schema 71 and "
                            + (decoder.sbeBlockLength() - 1) + " bytes.");
        }
    }

    @Test
    void blockLongerThanItsMessageIsOfALaterVersionAndRead() {
        receive(
                inbox,
                new Frames()
                        .add(HelloDecoder.TEMPLATE_ID, HelloDecoder.BLOCK_LENGTH + 8, 0, 0, NOTHING)
                        .toFrame());
        assertThat(seen).containsExactly(HelloDecoder.TEMPLATE_ID);
        assertThat(inbox.fault()).isNull();
    }

    @Test
    void bytesThatBelongToNoMessageAreRefused() {
        receive(inbox, new Frames().result(4, 4, new byte[9]).toFrame());
        assertThat(inbox.fault()).isEqualTo("The peer sent 5 bytes that belong to no message.");
    }

    @Test
    void announcedLengthsAreNotBelieved() {
        for (long length : new long[] {-1, Long.MIN_VALUE, (1 << 20) + 1, Long.MAX_VALUE, 3}) {
            Inbox one = new Inbox(message -> seen.add(message.templateId()), 1 << 20);
            receive(one, new Frames().result(length, 4, new byte[4]).toFrame());
            assertThat(one.fault()).isEqualTo("The peer sent a payload of " + length + " bytes; the limit is 1048576.");
        }
        for (int inFrame : new int[] {-1, Integer.MIN_VALUE, 5, Integer.MAX_VALUE}) {
            Inbox one = new Inbox(message -> seen.add(message.templateId()), 1 << 20);
            receive(one, new Frames().result(1 << 20, inFrame, new byte[4]).toFrame());
            assertThat(one.fault()).startsWith("The peer sent a body of " + inFrame + " bytes");
        }
        assertThat(seen).isEmpty();
    }

    @Test
    void segmentsOfNothingAndTooManyOfThemAreRefused() {
        byte[] segment = new Frames().segment(new byte[4]).toFrame();
        receive(inbox, segment);
        assertThat(inbox.fault()).isEqualTo("The peer sent a segment of 4 bytes that belongs to no payload.");

        Inbox other = new Inbox(message -> seen.add(message.templateId()), 1 << 20);
        receive(other, new Frames().result(6, 4, new byte[4]).toFrame());
        receive(other, segment);
        assertThat(other.fault()).contains("a segment of 4 bytes");
        assertThat(seen).isEmpty();
    }

    @Test
    void memoryIsTakenAsBytesArriveAndNotAsTheyAreAnnounced() {
        Inbox trusting = new Inbox(message -> seen.add(message.templateId()), 2L << 30);
        byte[] first = new Frames().result(2L << 30, 1000, new byte[1000]).toFrame();
        byte[] next = new Frames().segment(new byte[1000]).toFrame();
        com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        ByteBuffer memory = ByteBuffer.allocateDirect(first.length).put(0, first);
        ByteBuffer more = ByteBuffer.allocateDirect(next.length).put(0, next);
        long before = threads.getCurrentThreadAllocatedBytes();
        trusting.onFrame(memory, 0, first.length);
        for (int i = 1; i < 1000; i++) {
            trusting.onFrame(more, 0, next.length);
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(3_000_000);
        assertThat(trusting.fault()).isNull();
    }

    private static void begin(Inbox inbox, int length) {
        receive(inbox, new Frames().result(length, 4, new byte[4]).toFrame());
    }

    private static void end(Inbox inbox, int length) {
        for (int left = length - 4; left > 0; left -= Math.min(left, 1 << 20)) {
            byte[] part = new byte[Math.min(left, 1 << 20)];
            receive(inbox, new Frames().segment(part).toFrame());
        }
    }

    @Test
    void largePayloadThatDoesNotFitBesideOthersThatArriveIsRefused() {
        HeapShare heap = new HeapShare(8 << 20);
        List<Payload> arrived = new ArrayList<>();
        List<Inbox> inboxes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            inboxes.add(new Inbox(message -> arrived.add(message.payload().bytes()), 1 << 30, heap));
            begin(inboxes.get(i), 4 << 20);
        }
        inboxes.forEach(each -> end(each, 4 << 20));
        assertThat(arrived).extracting(Payload::length).containsExactly(4L << 20, 0L, 0L);
        assertThatThrownBy(arrived.get(1)::requireKept)
                .isInstanceOf(SerializationException.class)
                .hasMessageStartingWith("FBR-208 A message of 4194304 bytes does not fit into the heap of the process"
                        + " that received it (" + Runtime.getRuntime().maxMemory()
                        + " bytes at most), and 4194304 bytes of other messages there have not"
                        + " been read yet.")
                .hasMessageEndingWith("one part for each task. Or let fewer messages arrive at the same time.");
        assertThat(heap.takenBytes()).isEqualTo(4 << 20);
        arrived.get(0).open().skip(4 << 20);
        assertThat(heap.takenBytes()).isZero();
    }

    @Test
    void smallPayloadFitsBesideLargeOnes() {
        HeapShare heap = new HeapShare(8 << 20);
        Inbox large = new Inbox(message -> {}, 1 << 30, heap);
        begin(large, 6 << 20);
        Inbox small = new Inbox(message -> seen.add((int) message.payload().length()), 1 << 30, heap);
        begin(small, 1_000_000);
        end(small, 1_000_000);
        assertThat(seen).containsExactly(1_000_000);
    }

    @Test
    void payloadThatNeverArrivesWhollyLeavesItsRoomToOthers() {
        HeapShare heap = new HeapShare(8 << 20);
        Inbox closed = new Inbox(message -> {}, 1 << 30, heap);
        begin(closed, 6 << 20);
        closed.close();
        begin(closed, 6 << 20);
        assertThat(heap.takenBytes()).isZero();
        Inbox faulty = new Inbox(message -> {}, 1 << 30, heap);
        begin(faulty, 6 << 20);
        assertThat(heap.takenBytes()).isEqualTo(6 << 20);
        begin(faulty, 6 << 20);
        assertThat(faulty.fault()).contains("a payload inside another");
        assertThat(heap.takenBytes()).isZero();
        assertThat(closed.fault()).isNull();
    }

    static void receive(Inbox inbox, byte[] frame) {
        ByteBuffer memory = ByteBuffer.allocateDirect(Math.max(1, frame.length));
        memory.put(0, frame);
        inbox.onFrame(memory, 0, frame.length);
    }

    @Test
    void arrayLongerThanWhatIsMissingOrShorterThanItsPartIsRefused() {
        for (long length : new long[] {-1, 3, 1_000_000, 1L << 40}) {
            Inbox one = new Inbox(message -> seen.add(message.templateId()), 1 << 20);
            begin(one, 100_000);
            receive(
                    one,
                    new Frames()
                            .add(SegmentDecoder.TEMPLATE_ID, SegmentDecoder.BLOCK_LENGTH, length, 4, new byte[4])
                            .toFrame());
            assertThat(one.fault())
                    .isEqualTo("The peer sent an array of " + length + " bytes where 99996 are missing.");
        }
        assertThat(seen).isEmpty();
    }

    @Test
    void arrayWithoutRoomInTheHeapIsReadToItsEndAndNotKept() {
        List<Payload> arrived = new ArrayList<>();
        Inbox one = new Inbox(message -> arrived.add(message.payload().bytes()), 2L << 30, new HeapShare(1 << 20));
        begin(one, 4 << 20);
        receive(
                one,
                new Frames()
                        .add(SegmentDecoder.TEMPLATE_ID, SegmentDecoder.BLOCK_LENGTH, (4 << 20) - 4, 4, new byte[4])
                        .toFrame());
        end(one, (4 << 20) - 4);
        assertThat(one.fault()).isNull();
        assertThat(arrived).extracting(Payload::refusedBytes).containsExactly(4L << 20);
    }
}
