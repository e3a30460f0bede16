// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.Fiber;
import io.fiber.FiberProcess;
import io.fiber.FiberQueue;
import io.fiber.Pool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is put into a queue, and what is taken. */
abstract class QueueItemsContract extends SessionContract {

    private static final int ITEMS = 50;
    /** Fewer than fill the queue. */
    private static final int MANY = 500;

    private static final int LARGE = 300_000;

    @Test
    void itemsOfOneWriterArriveInTheirOrder() {
        FiberQueue<Object> queue = fiber().queue();
        List<Object> items = List.of(1, 2.5, "text", List.of(1, 2, 3), Map.of("key", 7), true);
        CompletableFuture<Boolean> writer = elsewhere(() -> items.forEach(queue::put));
        for (Object item : items) {
            assertThat(queue.take()).isEqualTo(item);
        }
        assertEndsWell(writer);
        assertThat(queue.size()).isZero();
    }

    /** The writer does not wait for each of its items. */
    @Test
    void itemsOfATaskAreInTheQueueWhenItsResultIsThere() {
        FiberQueue<Integer> queue = fiber().queue();
        try (Pool pool = fiber().pool(1)) {
            pool.apply(() -> {
                IntStream.range(0, MANY).forEach(queue::put);
                return true;
            });
            assertThat(queue.size()).isEqualTo(MANY);
        }
        for (int i = 0; i < MANY; i++) {
            assertThat(queue.take()).isEqualTo(i);
        }
    }

    @Test
    void largeItemArrivesWhole() {
        FiberQueue<byte[]> there = fiber().queue();
        FiberQueue<byte[]> back = fiber().queue();
        CompletableFuture<Boolean> echo = elsewhere(() -> back.put(there.take()));
        byte[] item = new byte[LARGE];
        for (int i = 0; i < item.length; i++) {
            item[i] = (byte) i;
        }
        there.put(item);
        assertThat(back.take()).isEqualTo(item);
        assertEndsWell(echo);
    }

    @Test
    void eachItemIsReceivedByOneOfManyReaders() {
        FiberQueue<Integer> queue = fiber().queue();
        FiberQueue<Integer> received = fiber().queue();
        List<FiberProcess> processes = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            int first = i * ITEMS;
            processes.add(process(() -> IntStream.range(first, first + ITEMS).forEach(queue::put)));
            processes.add(process(() -> IntStream.range(0, ITEMS).forEach(n -> received.put(queue.take()))));
        }
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < 2 * ITEMS; i++) {
            all.add(received.take());
        }
        assertThat(all)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 2 * ITEMS).boxed().toList());
        processes.forEach(SessionContract::assertEndsWell);
        assertThat(queue.size()).isZero();
    }

    @Test
    void handleTravelsAsArgumentResultAndItem() {
        FiberQueue<FiberQueue<String>> letters = fiber().queue();
        FiberQueue<String> inner = fiber().queue();
        letters.put(inner);
        assertEndsWell(elsewhere(() -> letters.take().put("by a handle that was an item")));
        assertThat(inner.take()).isEqualTo("by a handle that was an item");
        try (Pool pool = fiber().pool(1)) {
            List<FiberQueue<String>> back = pool.map((FiberQueue<String> queue) -> queue, List.of(inner));
            assertThat(back).containsExactly(inner);
            back.get(0).put("by a handle that was a result");
        }
        assertThat(inner.take()).isEqualTo("by a handle that was a result");
    }

    @Test
    void queueOfAWorkerIsUsedByOtherProcesses() {
        FiberQueue<FiberQueue<Integer>> handles = fiber().queue();
        FiberQueue<String> end = fiber().queue();
        FiberProcess host = process(() -> {
            handles.put(Fiber.current().queue());
            end.take();
        });
        FiberQueue<Integer> queue = handles.take();
        queue.put(4);
        assertEndsWell(elsewhere(() -> queue.put(queue.take() + 1)));
        assertThat(queue.take()).isEqualTo(5);
        end.put("now");
        assertEndsWell(host);
    }
}
