// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.WaitInterruptedException;
import io.fiber.runtime.platform.SessionThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

class ConsumerParkingTest {

    private final ConsumerParking parking = new ConsumerParking("results");

    @Test
    void conditionThatHoldsNeedsNoWait() throws InterruptedException {
        AtomicInteger asked = new AtomicInteger();
        parking.await(() -> asked.incrementAndGet() == 1);
        assertThat(asked).hasValue(1);
    }

    @Test
    void wakeWithoutAWaiterIsNoFault() throws InterruptedException {
        parking.wake();
        parking.await(() -> true);
        parking.wake();
    }

    @Test
    void wakeBetweenTheQuestionAndTheSleepIsNotLost() throws InterruptedException {
        AtomicBoolean open = new AtomicBoolean();
        parking.await(() -> {
            boolean was = open.getAndSet(true);
            parking.wake();
            return was;
        });
        assertThat(open).isTrue();
    }

    @Test
    void interruptEndsTheWait() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> parking.await(() -> false))
                .isInstanceOf(WaitInterruptedException.class)
                .hasMessage("FBR-303 Interrupted while waiting for results.");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void waiterSleepsUntilItIsWoken() {
        AtomicBoolean open = new AtomicBoolean();
        AtomicInteger questions = new AtomicInteger();
        CompletableFuture<Void> passed = new CompletableFuture<>();
        Thread waiter = waiter(() -> {
            parking.await(() -> {
                questions.incrementAndGet();
                return open.get();
            });
            passed.complete(null);
        });
        await().until(() -> waiter.getState() == Thread.State.WAITING);
        int before = questions.get();
        parking.wake();
        await().until(() -> questions.get() > before);
        await().until(() -> waiter.getState() == Thread.State.WAITING);
        assertThat(passed).isNotDone();
        open.set(true);
        parking.wake();

        await().until(passed::isDone);
        await().until(() -> !waiter.isAlive());
    }

    @Test
    void noElementOfAQueueIsEverSleptThrough() {
        int count = 200_000;
        ManyToOneConcurrentLinkedQueue<Integer> queue = new ManyToOneConcurrentLinkedQueue<>();
        AtomicInteger taken = new AtomicInteger();
        Thread consumer = waiter(() -> {
            while (taken.get() < count) {
                parking.await(() -> !queue.isEmpty());
                while (queue.poll() != null) {
                    taken.incrementAndGet();
                }
            }
        });
        for (int i = 0; i < count; i++) {
            queue.offer(i);
            parking.wake();
            if (i % 16 == 0) {
                Thread.onSpinWait();
            }
        }
        await().until(() -> !consumer.isAlive());
        assertThat(taken).hasValue(count);
    }

    /** Those that wait leave no thread to those that would end their wait, unless others take their places. */
    @Test
    void callbacksThatWaitAreReplacedByOtherThreads() throws InterruptedException {
        int many = 3 * Math.max(2, Runtime.getRuntime().availableProcessors());
        ExecutorService threads = SessionThreads.callbacks(thrown -> {});
        try {
            CountDownLatch ended = new CountDownLatch(many);
            List<Runnable> ends = new ArrayList<>();
            for (int i = 0; i < many; i++) {
                ConsumerParking each = new ConsumerParking("results");
                AtomicBoolean open = new AtomicBoolean();
                threads.execute(() -> {
                    each.await(open::get);
                    ended.countDown();
                });
                ends.add(() -> {
                    open.set(true);
                    each.wake();
                });
            }
            ends.forEach(threads::execute);

            assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void callbackThatCannotBeReplacedWaitsAllTheSame() throws InterruptedException {
        ForkJoinPool alone = new ForkJoinPool(
                1, ForkJoinPool.defaultForkJoinWorkerThreadFactory, null, true, 1, 1, 1, null, 60, TimeUnit.SECONDS);
        try {
            AtomicBoolean open = new AtomicBoolean();
            AtomicBoolean waits = new AtomicBoolean();
            CompletableFuture<Void> passed = CompletableFuture.runAsync(
                    () -> parking.await(() -> {
                        waits.set(true);
                        return open.get();
                    }),
                    alone);
            await().untilTrue(waits);
            open.set(true);
            await().until(() -> {
                parking.wake();
                return passed.isDone();
            });
            assertThat(passed).isCompleted();
        } finally {
            alone.shutdownNow();
        }
    }

    private interface Body {
        void run() throws InterruptedException;
    }

    private static Thread waiter(Body body) {
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
