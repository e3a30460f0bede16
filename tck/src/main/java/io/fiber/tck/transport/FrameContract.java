// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.OfferResult;
import io.fiber.tck.clause.Clause;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Clauses TRN-2xx: what happens to frames. */
abstract class FrameContract extends TransportContract {

    private static final int USUAL_LENGTH = 4_096;
    /** From one frame to the next: how long all of them take depends on the machine. */
    private static final Duration STALL_LIMIT = Duration.ofSeconds(20);

    /** Headers of frames and packets are shorter, so a limit is as near to a power of two as this. */
    private static final int NEAR = 40;

    /** Beyond it, only the longest frame is of interest. */
    private static final int GREATEST_POWER = 1 << 20;

    private static final int FEW_BUFFERS = 64;

    @Clause(
            id = "TRN-201",
            says = "frames arrive complete and in the order in which they were accepted, in both directions at once",
            check = "that a frame which is cut or padded inside is joined again, and that both directions are"
                    + " separate.")
    void framesArriveInOrder() {
        Pair pair = connect();
        FrameSource there = new FrameSource(1, pair.invited().maxFrameLength());
        FrameSource back = new FrameSource(2, pair.dialled().maxFrameLength());
        FrameSink atDialled = new FrameSink(there);
        FrameSink atInvited = new FrameSink(back);
        ByteBuffer frame = FrameSource.allocate(
                Math.max(pair.invited().maxFrameLength(), pair.dialled().maxFrameLength()));
        int count = (int) Math.max(50, Math.min(2_000, (32L << 20) / frame.capacity()));
        long[] sent = new long[2];
        Supplier<String> otherwise = () -> "of " + count + " frames each way, " + sent[0] + " and " + sent[1]
                + " were accepted, and " + atDialled.received() + " and " + atInvited.received() + " arrived";
        LongSupplier arrived = () -> {
            sent[0] += offerNext(pair.invited(), there, sent[0], count, frame);
            sent[1] += offerNext(pair.dialled(), back, sent[1], count, frame);
            pair.dialled().poll(atDialled, 10);
            pair.invited().poll(atInvited, 10);
            boolean isWrong = atDialled.isWrong() || atInvited.isWrong();
            return isWrong ? 2L * count : Math.min(count, atDialled.received()) + Math.min(count, atInvited.received());
        };
        await("TRN-202", otherwise, STALL_LIMIT, arrived, 2L * count);
        atDialled.failOnMismatch("TRN-201");
        atInvited.failOnMismatch("TRN-201");
    }

    private static int offerNext(Link link, FrameSource source, long index, int count, ByteBuffer frame) {
        if (index >= count) {
            return 0;
        }
        source.fill(frame, index);
        return link.offer(frame) == OfferResult.ACCEPTED ? 1 : 0;
    }

    @Clause(
            id = "TRN-202",
            says = "of 100,000 frames of random sizes, each arrives once and undamaged",
            check = "what happens where a buffer wraps, where offer answers BACK_PRESSURED half way, and in"
                    + " reassembly.")
    void noLossAndNoDuplicate() {
        Pair pair = connect();
        int many = fixture().manyFrames();
        int greatest = pair.invited().maxFrameLength();
        FrameSource source = new FrameSource(3, Math.min(USUAL_LENGTH, greatest), greatest);
        FrameSink sink = new FrameSink(source);
        ByteBuffer frame = FrameSource.allocate(greatest);
        long[] sent = new long[1];
        Supplier<String> otherwise = () -> "of " + many + " frames, " + sent[0] + " were accepted and "
                + sink.received() + " arrived, and then none for " + STALL_LIMIT;
        LongSupplier arrived = () -> {
            for (int burst = 0; burst < 16 && offerNext(pair.invited(), source, sent[0], many, frame) > 0; burst++) {
                sent[0]++;
            }
            pair.dialled().poll(sink, 32);
            return sink.isWrong() ? many : sink.received();
        };
        await("TRN-202", otherwise, STALL_LIMIT, arrived, many);
        sink.failOnMismatch("TRN-202");
        driveFor(Duration.ofMillis(50));
        assertThat(pair.dialled().poll(sink, 10))
                .as("frames after the last one")
                .isZero();
    }

    @Clause(
            id = "TRN-203",
            says = "frames of 1 to maxFrameLength bytes pass in one piece, including all lengths around powers of two",
            check = "that maxFrameLength leaves room for the transport's own headers, that a length fits its field, and"
                    + " where a buffer ends.")
    void framesOfEachLengthPass() {
        Pair conversation = connect();
        passAll(conversation.invited(), conversation.dialled());
        Pair data = connectForData(open(), open());
        passAll(data.dialled(), data.invited());
    }

    private void passAll(Link from, Link to) {
        int greatest = from.maxFrameLength();
        ByteBuffer frame = FrameSource.allocate(greatest);
        for (int at = 0; at < greatest; at++) {
            frame.put(at, (byte) (at * 31 + (at >> 8)));
        }
        for (int length : lengths(greatest)) {
            frame.clear().position(greatest - length);
            send(from, frame, fixture().connectLimit());
            int[] arrived = new int[1];
            await(
                    "TRN-203",
                    "a frame of " + length + " bytes was accepted and did not arrive",
                    fixture().connectLimit(),
                    () -> {
                        to.poll((buffer, offset, size) -> arrived[0] = check(frame, buffer, offset, size), 1);
                        return arrived[0] > 0;
                    });
            assertThat(arrived[0])
                    .as("bytes that arrived of a frame of %s bytes", length)
                    .isEqualTo(length);
        }
        cycle();
        List<Integer> more = new ArrayList<>();
        to.poll((buffer, offset, size) -> more.add(size), 10);
        assertThat(more).as("lengths of frames after the last one").isEmpty();
    }

    /** Returns the length of what arrived, which begins as the frame does. */
    private static int check(ByteBuffer frame, ByteBuffer buffer, int offset, int size) {
        ByteBuffer arrived = buffer.duplicate().clear().position(offset).limit(offset + size);
        assertThat(frame.mismatch(arrived))
                .as("first byte that differs in a frame of %s bytes, of which %s arrived", frame.remaining(), size)
                .isIn(-1, Math.min(frame.remaining(), size));
        return size;
    }

    private static Set<Integer> lengths(int greatest) {
        Set<Integer> lengths = new TreeSet<>(Set.of(1, greatest));
        for (int power = 2; power / 2 < Math.min(greatest, GREATEST_POWER); power *= 2) {
            for (int length = Math.max(1, power - NEAR); length <= Math.min(greatest, power + NEAR); length++) {
                lengths.add(length);
            }
        }
        return lengths;
    }

    @Clause(
            id = "TRN-204",
            says = "empty frames and frames that are too long are rejected with IllegalArgumentException; the link"
                    + " stays open",
            check = "that offer checks the length first, and names it with the limit.")
    void illegalLengthsAreRefused() {
        Pair pair = connect();
        int tooLong = pair.invited().maxFrameLength() + 1;
        Throwable ofEmpty = catchThrowable(() -> pair.invited().offer(ByteBuffer.allocateDirect(0)));
        assertThat(ofEmpty).as("what an empty frame gives").isInstanceOf(IllegalArgumentException.class);
        Throwable ofTooLong = catchThrowable(() -> pair.invited().offer(ByteBuffer.allocateDirect(tooLong)));
        assertThat(ofTooLong)
                .as("what a frame of %s bytes gives", tooLong)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(String.valueOf(tooLong));
        checkLinkWorks("TRN-204", pair.invited(), pair.dialled());
    }

    @Clause(
            id = "TRN-205",
            says = "offer sends the bytes between position and limit, changes nothing, and keeps no reference",
            check = "that offer uses absolute gets on a duplicate, and copies before it returns ACCEPTED.")
    void offeredBufferIsNeitherChangedNorKept() {
        Pair pair = connect();
        ByteBuffer frame = FrameSource.allocate(256);
        for (int i = 0; i < 256; i++) {
            frame.put(i, (byte) i);
        }
        frame.position(100).limit(110);
        send(pair.invited(), frame, fixture().connectLimit());
        assertThat(frame.position()).as("position after offer").isEqualTo(100);
        assertThat(frame.limit()).as("limit after offer").isEqualTo(110);
        frame.clear();
        for (int i = 0; i < 256; i++) {
            assertThat(frame.get(i)).as("byte %s after offer", i).isEqualTo((byte) i);
            frame.put(i, (byte) 99);
        }
        List<byte[]> arrived = new ArrayList<>();
        await("TRN-205", "the frame did not arrive", fixture().connectLimit(), () -> {
            pair.dialled()
                    .poll(
                            (buffer, offset, length) -> {
                                byte[] bytes = new byte[length];
                                buffer.get(offset, bytes);
                                arrived.add(bytes);
                            },
                            10);
            return !arrived.isEmpty();
        });
        assertThat(arrived.get(0)).as("what arrived").containsExactly(100, 101, 102, 103, 104, 105, 106, 107, 108, 109);
    }

    @Clause(
            id = "TRN-206",
            says = "poll delivers at most frameLimit frames, none if that is 0, and returns their number",
            check = "that the limit counts frames, not fragments or batches, and is checked before the first.")
    void pollKeepsItsLimit() {
        Pair pair = connect();
        ByteBuffer frame = FrameSource.allocate(16);
        for (int i = 0; i < 10; i++) {
            send(pair.invited(), frame, fixture().connectLimit());
        }
        int[] total = new int[1];
        await("TRN-206", "10 frames did not arrive", fixture().connectLimit(), () -> {
            int[] handed = new int[1];
            assertThat(pair.dialled().poll((buffer, offset, length) -> handed[0]++, 0))
                    .as("what poll with a limit of 0 returned")
                    .isZero();
            assertThat(handed[0]).as("frames handed over with a limit of 0").isZero();
            int said = pair.dialled().poll((buffer, offset, length) -> handed[0]++, 3);
            assertThat(said).as("what poll returned").isEqualTo(handed[0]).isLessThanOrEqualTo(3);
            total[0] += handed[0];
            return total[0] >= 10;
        });
        assertThat(total[0]).as("frames in all").isEqualTo(10);
    }

    @Clause(
            id = "TRN-211",
            says = "the handler of a poll may offer to its link, and close it",
            check = "that offer works during a poll, and what poll uses of a link that is closed meanwhile.")
    void handlerUsesItsLink() {
        Pair pair = connect();
        ByteBuffer frame = FrameSource.allocate(16);
        ByteBuffer answer = FrameSource.allocate(16);
        int[] answers = new int[2];
        await(
                "TRN-211",
                "no answer that a handler offered was accepted",
                fixture().connectLimit(),
                () -> {
                    pair.invited().offer(frame);
                    pair.dialled()
                            .poll(
                                    (buffer, offset, length) ->
                                            answers[0] += pair.dialled().offer(answer) == OfferResult.ACCEPTED ? 1 : 0,
                                    1);
                    return answers[0] > 0;
                });
        await(
                "TRN-211",
                "an answer that a handler offered did not arrive",
                fixture().connectLimit(),
                () -> {
                    answers[1] += pair.invited().poll(IGNORE, 10);
                    return answers[1] > 0;
                });
        for (int i = 0; i < 10; i++) {
            send(pair.invited(), frame, fixture().connectLimit());
        }
        await("TRN-211", "10 frames did not arrive", fixture().connectLimit(), () -> {
            pair.dialled().poll((buffer, offset, length) -> pair.dialled().close(), 10);
            return isClosed(pair.dialled());
        });
        assertThat(pair.dialled().poll(IGNORE, 10))
                .as("frames of a link that its handler closed")
                .isZero();
        await(
                "TRN-211",
                "the peer of a link that its handler closed did not notice",
                fixture().closeNoticeLimit(),
                () -> isClosed(pair.invited()));
    }

    @Clause(
            id = "TRN-207",
            says = "poll returns 0 when nothing has arrived",
            check = "that poll neither waits nor counts control frames.")
    void pollOfNothingIsZero() {
        Pair pair = connect();
        for (int i = 0; i < 100; i++) {
            cycle();
            assertThat(pair.invited().poll(IGNORE, 10))
                    .as("poll of the inviter")
                    .isZero();
            assertThat(pair.dialled().poll(IGNORE, 10))
                    .as("poll of the dialler")
                    .isZero();
        }
    }

    @Clause(
            id = "TRN-208",
            says = "maxFrameLength is at least 1024, the same at both ends, and does not change",
            check = "that it does not depend on the link's state or on what was negotiated later.")
    void maxFrameLengthIsConstant() {
        var inviter = open();
        var dialler = open();
        Link invited = inviter.invite();
        int before = invited.maxFrameLength();
        Link dialled = dialler.dial(invited.address());
        int dialledBefore = dialled.maxFrameLength();
        awaitConnected(new Pair(inviter, dialler, invited, dialled));
        assertThat(invited.maxFrameLength()).isEqualTo(before).isGreaterThanOrEqualTo(1024);
        assertThat(dialled.maxFrameLength()).isEqualTo(dialledBefore).isGreaterThanOrEqualTo(1024);
        assertThat(dialled.maxFrameLength()).as("that of the other end").isEqualTo(before);
        dialled.close();
        assertThat(dialled.maxFrameLength()).as("after close").isEqualTo(dialledBefore);
    }

    @Clause(
            id = "TRN-209",
            says = "poll delivers frames in a few buffers that it reuses",
            check = "that no buffer is made for a frame: a caller keeps a view of each by identity.")
    void handedBuffersAreFew() {
        Pair pair = connect();
        Set<ByteBuffer> buffers = Collections.newSetFromMap(new IdentityHashMap<>());
        ByteBuffer frame = FrameSource.allocate(200);
        int[] counts = new int[2];
        Supplier<String> otherwise = () -> "of 5000 frames, " + counts[1] + " arrived";
        LongSupplier arrived = () -> {
            if (counts[0] < 5_000 && pair.invited().offer(frame) == OfferResult.ACCEPTED) {
                counts[0]++;
            }
            counts[1] += pair.dialled().poll((buffer, offset, length) -> buffers.add(buffer), 10);
            return counts[1];
        };
        await("TRN-209", otherwise, STALL_LIMIT, arrived, 5_000);
        assertThat(buffers.size())
                .as("different buffers that 5000 frames were handed over in")
                .isLessThanOrEqualTo(FEW_BUFFERS);
    }
}
