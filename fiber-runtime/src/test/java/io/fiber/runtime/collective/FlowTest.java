// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.runtime.protocol.Payload;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All members of a ring in one thread, their links queues, and who is next a matter of a seed. */
class FlowTest {

    @SuppressWarnings("ArrayRecordComponent") // nobody compares them
    private record Part(long remaining, byte[] bytes) {}

    /** Lets the members send and take in a random order until all are done; no more than two parts are under way on a link. */
    private static void play(List<? extends Flow> flows, int room, long seed) {
        Random random = new Random(seed);
        List<Queue<Part>> links = new ArrayList<>();
        flows.forEach(flow -> links.add(new ArrayDeque<>()));
        int idle = 0;
        while (!flows.stream().allMatch(flow -> flow.hasSent() && flow.hasReceived())) {
            int member = random.nextInt(flows.size());
            boolean moved = random.nextBoolean()
                    ? send(flows.get(member), links.get(member), room)
                    : take(flows.get(member), links.get((member + flows.size() - 1) % flows.size()));
            idle = moved ? 0 : idle + 1;
            assertThat(idle).as("moves of which none was possible").isLessThan(10_000);
        }
        assertThat(links).allMatch(Queue::isEmpty);
    }

    private static boolean send(Flow flow, Queue<Part> link, int room) {
        int length = flow.nextPart(room);
        if (length == 0 || link.size() == 2) {
            return false;
        }
        long remaining = flow.remaining();
        ByteBuffer part = ByteBuffer.allocate(length + 8).order(ByteOrder.LITTLE_ENDIAN);
        part.position(8);
        flow.fill(part);
        byte[] bytes = new byte[length];
        part.get(8, bytes);
        link.add(new Part(remaining, bytes));
        return true;
    }

    private static boolean take(Flow flow, Queue<Part> link) {
        Part part = link.poll();
        if (part == null) {
            return false;
        }
        flow.take(part.remaining(), ByteBuffer.wrap(part.bytes()).order(ByteOrder.LITTLE_ENDIAN));
        return true;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 8})
    void everyMemberGetsTheSumWhateverTheLength(int size) {
        for (int length : new int[] {0, 1, size - 1, size, size + 1, 17, 100, 1_001}) {
            for (long seed = 0; seed < 5; seed++) {
                List<long[]> arrays = new ArrayList<>();
                List<AllReduceFlow> flows = new ArrayList<>();
                for (int rank = 0; rank < size; rank++) {
                    long[] array = new long[length];
                    for (int i = 0; i < length; i++) {
                        array[i] = (rank + 1L) * (i + 1);
                    }
                    arrays.add(array);
                    flows.add(new AllReduceFlow(Numbers.of(array, Long::sum), rank, size));
                }
                play(flows, 35, seed);
                for (long[] array : arrays) {
                    for (int i = 0; i < length; i++) {
                        assertThat(array[i]).isEqualTo((long) size * (size + 1) / 2 * (i + 1));
                    }
                }
            }
        }
    }

    @Test
    void aSumOfFloatsIsTheSameBitForBitInAllMembersAndInEveryOrderOfEvents() {
        List<float[]> first = randomFloats();
        play(reductions(first), 64, 1);
        List<float[]> second = randomFloats();
        play(reductions(second), 64, 2);
        for (int rank = 0; rank < 3; rank++) {
            assertThat(first.get(rank)).isEqualTo(first.get(0));
            assertThat(second.get(rank)).isEqualTo(first.get(0));
        }
    }

    private static List<float[]> randomFloats() {
        Random random = new Random(7);
        List<float[]> arrays = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
            float[] array = new float[1_000];
            for (int i = 0; i < array.length; i++) {
                array[i] = random.nextFloat();
            }
            arrays.add(array);
        }
        return arrays;
    }

    private static List<AllReduceFlow> reductions(List<float[]> arrays) {
        List<AllReduceFlow> flows = new ArrayList<>();
        for (int rank = 0; rank < arrays.size(); rank++) {
            flows.add(new AllReduceFlow(Numbers.of(arrays.get(rank), Float::sum), rank, arrays.size()));
        }
        return flows;
    }

    @Test
    void aMemberSendsOnWhatItHasWhileTheRestOfABlockStillComes() {
        AllReduceFlow flow = new AllReduceFlow(Numbers.of(new int[300], Integer::sum), 0, 3);
        flow.fill(ByteBuffer.allocate(400));
        assertThat(flow.nextPart(1_000))
                .as("the next block has not begun to arrive")
                .isZero();
        flow.take(400, ByteBuffer.allocate(40));
        assertThat(flow.nextPart(1_000)).isEqualTo(40);
    }

    @Test
    void whatDoesNotBelongToABlockIsRefused() {
        AllReduceFlow flow = new AllReduceFlow(Numbers.of(new int[300], Integer::sum), 0, 3);
        assertThatThrownBy(() -> flow.take(404, ByteBuffer.allocate(404)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("404 bytes have arrived where they cannot belong to the block.");
        assertThatThrownBy(() -> flow.take(6, ByteBuffer.allocate(6))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void nobodyPassesABarrierBeforeAllHaveCome() {
        int size = 4;
        for (int late = 0; late < size; late++) {
            List<AllReduceFlow> flows = barrier(size);
            List<Queue<Part>> links = new ArrayList<>();
            for (int rank = 0; rank < size; rank++) {
                links.add(new ArrayDeque<>());
            }
            for (int round = 0; round < 10; round++) {
                for (int rank = 0; rank < size; rank++) {
                    if (rank != late) {
                        send(flows.get(rank), links.get(rank), 100);
                        take(flows.get(rank), links.get((rank + size - 1) % size));
                    }
                }
            }
            assertThat(flows).noneMatch(AllReduceFlow::hasReceived);
        }
        play(barrier(size), 100, 3);
    }

    private static List<AllReduceFlow> barrier(int size) {
        return IntStream.range(0, size)
                .mapToObj(rank -> AllReduceFlow.ofBarrier(rank, size))
                .toList();
    }

    @Test
    void aValueIsPassedOnWholeInPartsOfAnyLength() {
        byte[] value = new byte[300_001];
        new Random(1).nextBytes(value);
        BroadcastFlow middle = new BroadcastFlow(true, true);
        BroadcastFlow last = new BroadcastFlow(false, true);
        play(List.of(BroadcastFlow.ofRoot(Payload.of(value)), middle, last), 1_000, 4);
        assertThat(middle.payload().toArray()).isEqualTo(value);
        assertThat(last.payload().toArray()).isEqualTo(value);
    }
}
