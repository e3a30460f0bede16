// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.WaitInterruptedException;
import java.util.concurrent.CompletableFuture;
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
        CompletableFuture<Void> passed = new CompletableFuture<>();
        Thread waiter = waiter(() -> {
            parking.await(open::get);
            passed.complete(null);
        });
        await().until(() -> waiter.getState() == Thread.State.WAITING);
        parking.wake();
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
