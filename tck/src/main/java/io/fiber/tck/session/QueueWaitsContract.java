// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.FiberQueue;
import io.fiber.QueueClosedException;
import io.fiber.WaitInterruptedException;
import io.fiber.tck.fault.Interrupt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which callers wait for a queue, and how a wait ends. */
abstract class QueueWaitsContract extends SessionContract {

    @Test
    void fullQueueHoldsItsWritersBack() {
        FiberQueue<Integer> queue = fiber().queue(2);
        CompletableFuture<Boolean> writer = elsewhere(() -> {
            for (int i = 0; i < 10; i++) {
                queue.put(i);
            }
        });
        eventually("a full queue", () -> queue.size() == 2);
        assertThat(queue.offer(99, Duration.ZERO)).isFalse();
        assertThat(queue.offer(99, SHORT)).isFalse();
        for (int i = 0; i < 10; i++) {
            assertThat(queue.take()).isEqualTo(i);
        }
        assertEndsWell(writer);
        assertThat(queue.offer(99, Duration.ZERO)).isTrue();
        assertThat(queue.take()).isEqualTo(99);
    }

    @Test
    void readerOfAnEmptyQueueWaitsAsLongAsItSays() {
        FiberQueue<Integer> queue = fiber().queue();
        assertThat(queue.poll(Duration.ZERO)).isEmpty();
        assertThat(queue.poll(SHORT)).isEmpty();
        CompletableFuture<Boolean> writer = elsewhere(() -> queue.put(1));
        assertThat(queue.poll(LIMIT)).contains(1);
        assertEndsWell(writer);
    }

    /** It was quick before, and may have been sent more than it takes. */
    @Test
    void readerThatPausesLeavesTheOtherItemsToOthers() {
        FiberQueue<Integer> queue = fiber().queue();
        FiberQueue<String> pauses = fiber().queue();
        FiberQueue<String> end = fiber().queue();
        IntStream.range(0, 500).forEach(queue::put);
        CompletableFuture<Boolean> reader = elsewhere(() -> {
            IntStream.range(0, 100).forEach(n -> assertThat(queue.take()).isEqualTo(n));
            pauses.put("now");
            end.take();
        });
        pauses.take();
        List<Integer> others = new ArrayList<>();
        while (others.size() < 400) {
            others.add(queue.poll(LIMIT).orElseThrow());
        }
        assertThat(others)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(100, 500).boxed().toList());
        end.put("now");
        assertEndsWell(reader);
    }

    @Test
    void interruptedReaderTakesNothing() {
        FiberQueue<Integer> queue = fiber().queue();
        CompletableFuture<Thread> begun = new CompletableFuture<>();
        CompletableFuture<@Nullable Void> reader = inThread(() -> {
            begun.complete(Thread.currentThread());
            assertThatThrownBy(queue::take).isInstanceOf(WaitInterruptedException.class);
        });
        Interrupt.whenItWaits(begun.join());
        reader.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        queue.put(1);
        assertThat(queue.take()).isEqualTo(1);
    }

    @Test
    void closedQueueIsDrainedAndThenFails() {
        FiberQueue<Integer> queue = fiber().queue();
        queue.put(1);
        queue.put(2);
        assertEndsWell(elsewhere(queue::close));
        assertThatThrownBy(() -> queue.put(3))
                .isInstanceOf(QueueClosedException.class)
                .hasMessageMatching("FBR-410 The queue 0/\\d+ is closed and takes no more items; nothing was added\\.");
        assertEndsWell(elsewhere(() -> assertThat(queue.take()).isEqualTo(1)));
        assertThat(queue.take()).isEqualTo(2);
        assertThatThrownBy(queue::take)
                .isInstanceOf(QueueClosedException.class)
                .hasMessageMatching("FBR-411 The queue 0/\\d+ is closed, and all its items were received\\.");
        queue.close();
    }

    /** It learns that the queue is closed; all that it was not told about are in the queue. */
    @Test
    void quickWriterIsHeldBackByAFullQueueAndToldThatItIsClosed() {
        FiberQueue<Integer> queue = fiber().queue(64);
        CompletableFuture<Boolean> writer = elsewhere(() -> assertThatThrownBy(() -> {
                    for (int i = 0; true; i++) {
                        queue.put(i);
                    }
                })
                .isInstanceOf(QueueClosedException.class)
                .hasMessageMatching("FBR-410 The queue 0/\\d+ is closed and takes no more items[;.].*"));
        eventually("a full queue", () -> queue.size() == 64);
        queue.close();
        assertEndsWell(writer);
        List<Integer> held = new ArrayList<>();
        queue.forEach(held::add);
        assertThat(held).hasSizeGreaterThanOrEqualTo(64);
        assertThat(held).isEqualTo(IntStream.range(0, held.size()).boxed().toList());
    }

    @Test
    void closeEndsTheWaitsOfOtherProcesses() {
        FiberQueue<Integer> queue = fiber().queue(1);
        FiberQueue<String> ready = fiber().queue();
        CompletableFuture<Boolean> reader = elsewhere(() -> {
            ready.put("reader");
            assertThatThrownBy(queue::take).isInstanceOf(QueueClosedException.class);
        });
        ready.take();
        queue.close();
        assertEndsWell(reader);
    }
}
