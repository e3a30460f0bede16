// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;

/** What other threads, and the conductor itself, want the conductor to do. */
class ConductorCommandsTest {

    private static final Set<Thread.State> WAITING = Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

    private static final int ROOM = 1 << 14;

    private final Conductor conductor = new Conductor("test", SystemNanoClock.INSTANCE, Duration.ofSeconds(20));
    private final AtomicInteger ran = new AtomicInteger();
    private volatile Thread caller = Thread.currentThread();

    private void fill() {
        for (int i = 0; i < ROOM; i++) {
            assertThat(conductor.execute(ran::incrementAndGet)).isTrue();
        }
    }

    private <T> CompletableFuture<T> inAnotherThread(Supplier<T> action) {
        CompletableFuture<T> result = new CompletableFuture<>();
        caller = new Thread(() -> result.complete(action.get()), "caller");
        caller.start();
        return result;
    }

    private void awaitCallerWaits() {
        await().until(() -> WAITING.contains(caller.getState()));
    }

    @Test
    void whoConductsHasRoomForAllItWantsToDo() {
        conductor.execute(() -> {
            for (int i = 0; i < 3 * ROOM; i++) {
                assertThat(conductor.execute(ran::incrementAndGet)).isTrue();
            }
        });
        conductor.doWork();
        conductor.doWork();
        assertThat(ran).hasValue(3 * ROOM);
    }

    @Test
    void commandsOfOneThreadRunInItsOrder() {
        List<Integer> order = new ArrayList<>();
        conductor.execute(() -> {
            order.add(1);
            conductor.execute(() -> order.add(2));
            conductor.execute(() -> order.add(3));
        });
        conductor.doWork();
        assertThat(order).containsExactly(1, 2, 3);
    }

    @Test
    void interruptedCallerWaitsForRoomAndKeepsItsInterrupt() {
        fill();
        CompletableFuture<Boolean> interrupted = inAnotherThread(() -> {
            Thread.currentThread().interrupt();
            conductor.execute(ran::incrementAndGet);
            return Thread.currentThread().isInterrupted();
        });
        awaitCallerWaits();
        conductor.doWork();
        assertThat(interrupted).succeedsWithin(10, SECONDS).isEqualTo(true);
        conductor.doWork();
        assertThat(ran).hasValue(ROOM + 1);
    }

    @Test
    void whoWaitsForRoomIsToldThatTheConductorHasClosed() {
        fill();
        CompletableFuture<Boolean> taken = inAnotherThread(() -> conductor.execute(ran::incrementAndGet));
        awaitCallerWaits();
        conductor.onClose();
        assertThat(taken).succeedsWithin(10, SECONDS).isEqualTo(false);
        assertThat(ran).hasValueGreaterThanOrEqualTo(ROOM);
        assertThat(conductor.execute(ran::incrementAndGet)).isFalse();
    }

    @Test
    void closeWaitsForTheCycleOfAnotherThread() throws InterruptedException {
        CountDownLatch inCycle = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        conductor.execute(() -> {
            inCycle.countDown();
            try {
                goOn.await();
                ran.incrementAndGet();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        CompletableFuture<Integer> cycle = inAnotherThread(conductor::doWork);
        inCycle.await();
        CompletableFuture<Integer> closed = inAnotherThread(() -> {
            conductor.onClose();
            return ran.get();
        });
        awaitCallerWaits();
        goOn.countDown();
        assertThat(closed).succeedsWithin(10, SECONDS).isEqualTo(1);
        assertThat(cycle).succeedsWithin(10, SECONDS);
        assertThat(conductor.doWork()).isZero();
    }

    /** Otherwise it would wait for the end of a cycle, which another thread may have to run for it. */
    @Test
    void threadSendsItselfAndLeavesThatToTheIoThreadDuringACycle() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        conductor.send(() -> threads.add(Thread.currentThread()));
        CountDownLatch inCycle = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        conductor.execute(() -> {
            inCycle.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        CompletableFuture<Integer> cycle = inAnotherThread(() -> conductor.doWork() + conductor.doWork());
        Thread io = caller;
        inCycle.await();
        conductor.send(() -> threads.add(Thread.currentThread()));
        goOn.countDown();
        assertThat(cycle).succeedsWithin(10, SECONDS);

        assertThat(threads).containsExactly(Thread.currentThread(), io);
    }

    /** If it overflowed in the middle of a cycle, that would end the conductor. */
    @Test
    void recursionThatSendsAtEachLevelOverflowsAndTheConductorGoesOn() {
        AtomicInteger ran = new AtomicInteger();
        assertThatThrownBy(() -> sendAtEachLevel(ran)).isInstanceOf(StackOverflowError.class);
        int sent = ran.get();
        conductor.send(ran::incrementAndGet);

        assertThat(sent).isPositive();
        assertThat(ran).hasValue(sent + 1);
        assertThat(conductor.doWork()).isZero();
    }

    @SuppressWarnings("InfiniteRecursion") // until the stack overflows
    private int sendAtEachLevel(AtomicInteger ran) {
        conductor.send(ran::incrementAndGet);
        return 1 + sendAtEachLevel(ran);
    }

    @Test
    void threadThatSendsRunsWhatFollowsFromItsCommand() {
        List<Integer> order = new ArrayList<>();
        conductor.send(() -> {
            order.add(1);
            conductor.execute(() -> order.add(2));
            conductor.send(() -> order.add(3));
        });

        assertThat(order).containsExactly(1, 2, 3);
    }

    @Test
    void laterCallRunsInTheIoThreadAlone() {
        List<Thread> threads = new ArrayList<>();
        conductor.later(() -> {
            threads.add(Thread.currentThread());
        });
        conductor.send(() -> {});
        assertThat(threads).isEmpty();

        assertThat(inAnotherThread(conductor::doWork)).succeedsWithin(10, SECONDS);

        assertThat(threads).containsExactly(caller);
    }

    @Test
    void laterCallHasTheResultOrWhatWasThrown() {
        CompletableFuture<Integer> counted = conductor.later(ran::incrementAndGet);
        CompletableFuture<Integer> thrown = conductor.later(() -> {
            throw new OutOfMemoryError("of the call");
        });
        assertThat(counted).isNotDone();
        conductor.doWork();

        assertThat(counted).isCompletedWithValue(1);
        assertThat(thrown).isCompletedExceptionally();
        assertThatThrownBy(thrown::join).cause().isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void laterCallThatNoCycleRunsIsCancelled() {
        CompletableFuture<Integer> early = conductor.later(ran::incrementAndGet);
        CompletableFuture<Integer> late = conductor.later(ran::incrementAndGet);
        conductor.onClose();
        CompletableFuture<Integer> tooLate = conductor.later(ran::incrementAndGet);

        assertThat(List.of(early, late, tooLate)).allMatch(CompletableFuture::isCancelled);
        assertThat(ran).hasValue(0);
    }

    @Test
    void laterCallHasTheFaultThatEndsTheConductor() {
        CompletableFuture<Integer> call = conductor.later(ran::incrementAndGet);
        IllegalStateException fault = new IllegalStateException("a bug");

        conductor.onFault(fault);

        assertThatThrownBy(call::join).cause().isSameAs(fault);
        assertThat(ran).hasValue(0);
    }
}
