// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.FiberQueue;
import io.fiber.QueueClosedException;
import io.fiber.WaitInterruptedException;
import io.fiber.tck.fault.Interrupt;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
