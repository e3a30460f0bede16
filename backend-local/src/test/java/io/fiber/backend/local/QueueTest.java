// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.Fiber;
import io.fiber.FiberException;
import io.fiber.FiberProcess;
import io.fiber.Pool;
import io.fiber.QueueClosedException;
import io.fiber.SimpleQueue;
import io.fiber.WaitInterruptedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Queues between real processes. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
class QueueTest {

    @RegisterExtension
    static final SharedSession session = new SharedSession();

    private static final Duration LIMIT = Duration.ofSeconds(60);

    /** An item of a program's own class. */
    record Frame(int number, List<Double> pixels) implements java.io.Serializable {}

    @Test
    void itemsOfManyKindsArriveInTheirOrder() {
        Fiber fiber = session.fiber();
        SimpleQueue<Object> queue = fiber.simpleQueue();
        List<Object> items = List.of(1, 2.5, "text", List.of(1, 2, 3), Map.of("key", 7), true);
        FiberProcess writer = fiber.process(() -> items.forEach(queue::put)).start();
        for (Object item : items) {
            assertThat(queue.take()).isEqualTo(item);
        }
        writer.join();
        queue.put(new Frame(3, List.of(1.0, 2.0)));
        assertThat(((Frame) queue.take()).pixels()).containsExactly(1.0, 2.0);
    }

    @Test
    void workerAnswersByASecondQueue() {
        Fiber fiber = session.fiber();
        SimpleQueue<Integer> questions = fiber.simpleQueue();
        SimpleQueue<Integer> answers = fiber.simpleQueue();
        FiberProcess worker = fiber.process(() -> {
            for (int item = questions.take(); item >= 0; item = questions.take()) {
                answers.put(item * item);
            }
        });
        worker.start();
        for (int i = 0; i < 100; i++) {
            questions.put(i);
            assertThat(answers.take()).isEqualTo(i * i);
        }
        questions.put(-1);
        worker.join();
        assertThat(questions.size()).isZero();
    }

    @Test
    void handleTravelsAsArgumentResultAndItem() {
        Fiber fiber = session.fiber();
        Pool pool = session.pool(1);
        SimpleQueue<SimpleQueue<String>> letters = fiber.simpleQueue();
        SimpleQueue<String> inner = fiber.simpleQueue();
        letters.put(inner);
        pool.apply(() -> {
            letters.take().put("from the worker");
            return 0;
        });
        assertThat(inner.take()).isEqualTo("from the worker");
        SimpleQueue<String> back =
                pool.map((SimpleQueue<String> queue) -> queue, List.of(inner)).get(0);
        back.put("once more");
        assertThat(back).isEqualTo(inner);
        assertThat(inner.poll(LIMIT)).contains("once more");
    }

    @Test
    void queueOfAWorkerIsUsedByOthersAndEndsWithIt() {
        Fiber fiber = session.fiber();
        SimpleQueue<SimpleQueue<Integer>> handles = fiber.simpleQueue();
        FiberProcess host = fiber.process(() -> {
            SimpleQueue<Integer> queue = Fiber.current().simpleQueue();
            handles.put(queue);
            new CountDownLatch(1).await();
        });
        host.start();
        SimpleQueue<Integer> queue = handles.take();
        queue.put(4);
        FiberProcess other = fiber.process(() -> queue.put(queue.take() + 1)).start();
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
    void fullQueueHoldsItsWritersBack() {
        Fiber fiber = session.fiber();
        SimpleQueue<Integer> queue = fiber.simpleQueue(2);
        FiberProcess writer = fiber.process(() -> {
            for (int i = 0; i < 10; i++) {
                queue.put(i);
            }
        });
        writer.start();
        await().atMost(LIMIT).until(() -> queue.size() == 2);
        assertThat(queue.offer(99, Duration.ZERO)).isFalse();
        assertThat(queue.offer(99, Duration.ofMillis(30))).isFalse();
        for (int i = 0; i < 10; i++) {
            assertThat(queue.take()).isEqualTo(i);
        }
        writer.join();
        assertThat(queue.offer(99, Duration.ZERO)).isTrue();
        assertThat(queue.poll(Duration.ZERO)).contains(99);
        assertThat(queue.poll(Duration.ofMillis(20))).isEmpty();
    }

    @Test
    void closedQueueIsDrainedAndThenFails() {
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(1)) {
            SimpleQueue<Integer> queue = fiber.simpleQueue();
            queue.put(1);
            queue.put(2);
            pool.apply(() -> {
                queue.close();
                return 0;
            });
            assertThatThrownBy(() -> queue.put(3))
                    .isInstanceOf(QueueClosedException.class)
                    .hasMessage("FBR-410 The queue 0/1000 is closed and takes no more items; nothing was added.");
            assertThat(pool.apply(() -> queue.take())).isEqualTo(1);
            assertThat(queue.take()).isEqualTo(2);
            assertThatThrownBy(queue::take)
                    .isInstanceOf(QueueClosedException.class)
                    .hasMessage("FBR-411 The queue 0/1000 is closed, and all its items were received.");
            queue.close();
        }
    }

    @Test
    void interruptEndsAWaitAndTakesNothing() {
        SimpleQueue<Integer> queue = session.fiber().simpleQueue();
        CompletableFuture<Thread> begun = new CompletableFuture<>();
        CompletableFuture<Integer> taking = CompletableFuture.supplyAsync(() -> {
            begun.complete(Thread.currentThread());
            return queue.take();
        });
        begun.join().interrupt();
        assertThatThrownBy(taking::join).hasCauseInstanceOf(WaitInterruptedException.class);
        queue.put(1);
        assertThat(queue.take()).isEqualTo(1);
    }

    /** The first of two readers that wait is killed: the item must not vanish with it. */
    @Test
    void itemIsNotLostWithAReaderThatDiedWhileItWaited() {
        Fiber fiber = session.fiber();
        SimpleQueue<Integer> queue = fiber.simpleQueue();
        SimpleQueue<Integer> begun = fiber.simpleQueue();
        SimpleQueue<Integer> received = fiber.simpleQueue();
        List<FiberProcess> readers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            int number = i;
            readers.add(fiber.process(() -> {
                        begun.put(number);
                        received.put(queue.take());
                    })
                    .start());
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

    @Test
    void itemIsNotLostWithAReaderThatDiedBeforeItHadDoneWithIt() {
        Fiber fiber = session.fiber();
        SimpleQueue<Integer> queue = fiber.simpleQueue();
        IntStream.range(0, 5).forEach(queue::put);
        FiberProcess reader = fiber.process(() -> {
            queue.take();
            queue.take();
            Runtime.getRuntime().halt(9);
        });
        reader.start();
        await().atMost(LIMIT).until(() -> !reader.isAlive());
        assertThat(List.of(queue.take(), queue.take(), queue.take(), queue.take()))
                .containsExactly(1, 2, 3, 4);
    }

    @Test
    void itemsOfEndedTasksAndProgramsAreNotGivenTwice() {
        Fiber fiber = session.fiber();
        Pool pool = session.pool(1);
        SimpleQueue<Integer> queue = fiber.simpleQueue();
        IntStream.range(0, 4).forEach(queue::put);
        assertThat(pool.apply(() -> queue.take())).isZero();
        fiber.process(queue::take).start().join();
        assertThat(queue.take()).isEqualTo(2);
        queue.close();
        assertThat(queue.take()).isEqualTo(3);
        assertThatThrownBy(queue::take).isInstanceOf(QueueClosedException.class);
    }
}
