// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.Fiber;
import io.fiber.FiberException;
import io.fiber.FiberProcess;
import io.fiber.FiberQueue;
import io.fiber.Manager;
import io.fiber.Pool;
import io.fiber.QueueClosedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Queues between real processes: what {@link LocalQueueTckTest} does not show. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class QueueTest {

    @RegisterExtension
    static final SharedSession session = new SharedSession();

    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** An item of a program's own class. */
    record Frame(int number, List<Double> pixels) implements java.io.Serializable {}

    @Test
    void itemOfAProgramsOwnClassArrives() {
        FiberQueue<Frame> queue = session.fiber().queue();
        queue.put(new Frame(3, List.of(1.0, 2.0)));
        assertThat(queue.take().pixels()).containsExactly(1.0, 2.0);
    }

    @Test
    void workerAnswersByASecondQueue() {
        Fiber fiber = session.fiber();
        FiberQueue<Integer> questions = fiber.queue();
        FiberQueue<Integer> answers = fiber.queue();
        FiberProcess worker = fiber.process(() -> {
            for (int item = questions.take(); item >= 0; item = questions.take()) {
                answers.put(item * item);
            }
        });
        for (int i = 0; i < 100; i++) {
            questions.put(i);
            assertThat(answers.take()).isEqualTo(i * i);
        }
        questions.put(-1);
        worker.join();
        assertThat(questions.size()).isZero();
    }

    @Test
    void queueOfAWorkerIsUsedByOthersAndEndsWithIt() {
        Fiber fiber = session.fiber();
        FiberQueue<FiberQueue<Integer>> handles = fiber.queue();
        FiberProcess host = fiber.process(() -> {
            FiberQueue<Integer> queue = Fiber.current().queue();
            handles.put(queue);
            new CountDownLatch(1).await();
        });
        FiberQueue<Integer> queue = handles.take();
        queue.put(4);
        FiberProcess other = fiber.process(() -> queue.put(queue.take() + 1));
        other.join();
        assertThat(queue.take()).isEqualTo(5);
        CompletableFuture<Integer> waiting = CompletableFuture.supplyAsync(queue::take);
        host.terminate();
        assertThatThrownBy(waiting::join)
                .hasRootCauseInstanceOf(FiberException.class)
                .hasMessageContaining("FBR-400 ");
        assertThatThrownBy(() -> queue.put(1)).hasMessageStartingWith("FBR-400 ");
        queue.close();
    }

    @Test
    void closedQueueIsDrainedAndThenFails() {
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(1)) {
            FiberQueue<Integer> queue = fiber.queue();
            queue.put(1);
            queue.put(2);
            pool.apply(() -> {
                queue.close();
                return 0;
            });
            assertThatThrownBy(() -> queue.put(3))
                    .isInstanceOf(QueueClosedException.class)
                    .hasMessageMatching(
                            "FBR-410 The queue 0/\\d+ is closed and takes no more items; nothing was added\\.");
            assertThat(pool.apply(() -> queue.take())).isEqualTo(1);
            assertThat(queue.take()).isEqualTo(2);
            assertThatThrownBy(queue::take)
                    .isInstanceOf(QueueClosedException.class)
                    .hasMessageMatching("FBR-411 The queue 0/\\d+ is closed, and all its items were received\\.");
            queue.close();
        }
    }

    @Test
    void queueIsIteratedUntilItIsClosedAndEmpty() {
        Fiber fiber = session.fiber();
        try (Manager manager = fiber.manager()) {
            for (FiberQueue<Integer> queue : List.of(fiber.<Integer>queue(), manager.<Integer>queue())) {
                FiberProcess writer = fiber.process(() -> {
                    for (int i = 0; i < 10; i++) {
                        queue.put(i);
                    }
                    queue.close();
                });
                List<Integer> received = new ArrayList<>();
                queue.forEach(received::add);

                assertThat(received).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
                assertThat(writer.join()).isZero();
                assertThatThrownBy(() -> queue.iterator().next()).isInstanceOf(NoSuchElementException.class);
            }
        }
    }

    @Test
    void everyQueueIsAskedWithoutWaiting() {
        Fiber fiber = session.fiber();
        try (Manager manager = fiber.manager()) {
            for (FiberQueue<Integer> queue : List.of(fiber.<Integer>queue(1), manager.<Integer>queue(1))) {
                assertThat(queue.poll()).isEmpty();
                assertThat(queue.isEmpty()).isTrue();
                assertThat(queue.offer(1)).isTrue();
                assertThat(queue.offer(2)).isFalse();
                assertThat(queue.offer(2, Duration.ofMillis(10))).isFalse();
                assertThat(queue.poll()).contains(1);
                assertThat(queue.poll(Duration.ZERO)).isEmpty();
                queue.close();
                assertThatThrownBy(() -> queue.offer(3))
                        .isInstanceOf(QueueClosedException.class)
                        .hasMessageStartingWith("FBR-410 ");
                assertThatThrownBy(queue::poll)
                        .isInstanceOf(QueueClosedException.class)
                        .hasMessageStartingWith("FBR-411 ");
            }
        }
    }

    /** The first of two readers that wait is killed: the item must not vanish with it. */
    @Test
    void itemIsNotLostWithAReaderThatDiedWhileItWaited() {
        Fiber fiber = session.fiber();
        FiberQueue<Integer> queue = fiber.queue();
        FiberQueue<Integer> begun = fiber.queue();
        FiberQueue<Integer> received = fiber.queue();
        List<FiberProcess> readers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            int number = i;
            readers.add(fiber.process(() -> {
                begun.put(number);
                received.put(queue.take());
            }));
        }
        int first = begun.take();
        begun.take();
        FiberProcess killed = readers.get(first);
        killed.kill();
        await().atMost(LIMIT).until(() -> !killed.isAlive());
        queue.put(7);
        assertThat(received.poll(LIMIT)).contains(7);
        readers.get(1 - first).join();
    }
}
