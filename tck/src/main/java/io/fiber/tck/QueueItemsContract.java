// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.Fiber;
import io.fiber.FiberProcess;
import io.fiber.Pool;
import io.fiber.SimpleQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is put into a queue, and what is taken. */
abstract class QueueItemsContract extends SessionContract {

    private static final int ITEMS = 50;
    private static final int LARGE = 300_000;

    @Test
    void itemsOfOneWriterArriveInTheirOrder() {
        SimpleQueue<Object> queue = fiber().simpleQueue();
        List<Object> items = List.of(1, 2.5, "text", List.of(1, 2, 3), Map.of("key", 7), true);
        CompletableFuture<Boolean> writer = elsewhere(() -> items.forEach(queue::put));
        for (Object item : items) {
            assertThat(queue.take()).isEqualTo(item);
        }
        assertEndsWell(writer);
        assertThat(queue.size()).isZero();
    }

    @Test
    void largeItemArrivesWhole() {
        SimpleQueue<byte[]> there = fiber().simpleQueue();
        SimpleQueue<byte[]> back = fiber().simpleQueue();
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
        SimpleQueue<Integer> queue = fiber().simpleQueue();
        SimpleQueue<Integer> received = fiber().simpleQueue();
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
        SimpleQueue<SimpleQueue<String>> letters = fiber().simpleQueue();
        SimpleQueue<String> inner = fiber().simpleQueue();
        letters.put(inner);
        assertEndsWell(elsewhere(() -> letters.take().put("by a handle that was an item")));
        assertThat(inner.take()).isEqualTo("by a handle that was an item");
        try (Pool pool = fiber().pool(1)) {
            List<SimpleQueue<String>> back = pool.map((SimpleQueue<String> queue) -> queue, List.of(inner));
            assertThat(back).containsExactly(inner);
            back.get(0).put("by a handle that was a result");
        }
        assertThat(inner.take()).isEqualTo("by a handle that was a result");
    }

    @Test
    void queueOfAWorkerIsUsedByOtherProcesses() {
        SimpleQueue<SimpleQueue<Integer>> handles = fiber().simpleQueue();
        SimpleQueue<String> end = fiber().simpleQueue();
        FiberProcess host = process(() -> {
            handles.put(Fiber.current().simpleQueue());
            end.take();
        });
        SimpleQueue<Integer> queue = handles.take();
        queue.put(4);
        assertEndsWell(elsewhere(() -> queue.put(queue.take() + 1)));
        assertThat(queue.take()).isEqualTo(5);
        end.put("now");
        assertEndsWell(host);
    }
}
