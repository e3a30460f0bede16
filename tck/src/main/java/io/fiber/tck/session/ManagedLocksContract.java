// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.FiberProcess;
import io.fiber.ManagedArray;
import io.fiber.ManagedCondition;
import io.fiber.ManagedEvent;
import io.fiber.ManagedList;
import io.fiber.ManagedLock;
import io.fiber.WaitInterruptedException;
import io.fiber.tck.fault.Interrupt;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Locks and their conditions. */
@SuppressWarnings({"LockNotBeforeTry", "WaitNotInLoop"}) // single steps are tested
abstract class ManagedLocksContract extends ManagerContract {

    private static final int PROCESSES = 8;

    @Test
    void incrementsUnderALockAreNotLost() {
        increment(100);
    }

    @Test
    @Tag("soak")
    void aHundredThousandIncrementsUnderALockAreNotLost() {
        increment(12_500);
    }

    private void increment(int timesEach) {
        ManagedLock lock = manager().lock();
        ManagedArray<Integer, int[]> counter = manager().array(new int[1]);
        List<FiberProcess> processes = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            processes.add(process(() -> {
                for (int n = 0; n < timesEach; n++) {
                    lock.lock();
                    try {
                        counter.set(0, counter.get(0) + 1);
                    } finally {
                        lock.unlock();
                    }
                }
            }));
        }
        processes.forEach(SessionContract::assertEndsWell);
        assertThat(counter.get(0)).isEqualTo(PROCESSES * timesEach);
    }

    @Test
    void aLockWhoseHolderDiedIsHadByTheNextWhoLearnsOfIt() {
        ManagedLock lock = manager().lock();
        ManagedEvent held = manager().event();
        ManagedEvent dies = manager().event();
        FiberProcess holder = process(() -> {
            lock.lock();
            held.set();
            dies.await();
            die();
        });
        held.await();
        assertThat(lock.tryLock()).isFalse();
        CompletableFuture<@Nullable Void> next = inThread(() -> {
            lock.lock();
            assertThat(lock.epoch()).isEqualTo(2);
            assertThat(lock.wasAbandoned()).isTrue();
            assertThat(lock.wasAbandoned()).isFalse();
            lock.unlock();
        });
        dies.set();
        next.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        assertThat(holder.join()).isNotZero();
        lock.lock();
        assertThat(lock.wasAbandoned()).isFalse();
        lock.unlock();
    }

    @Test
    void theHolderIsAThreadAndOnlyItUnlocks() {
        ManagedLock lock = manager().lock();
        lock.lock();
        assertThat(lock.holdCount()).isEqualTo(1);
        assertThatThrownBy(lock::lock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageStartingWith("FBR-430");
        inThread(() -> {
                    assertThat(lock.tryLock()).isFalse();
                    assertThat(lock.holdCount()).isZero();
                    assertThatThrownBy(lock::unlock)
                            .isInstanceOf(IllegalMonitorStateException.class)
                            .hasMessageStartingWith("FBR-431");
                })
                .join();
        lock.unlock();
        assertThat(lock.isLocked()).isFalse();
        assertThatThrownBy(lock::epoch)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageStartingWith("FBR-431");
    }

    @Test
    void aReentrantLockCounts() {
        ManagedLock lock = manager().reentrantLock();
        lock.lock();
        lock.lock();
        assertThat(lock.holdCount()).isEqualTo(2);
        lock.unlock();
        inThread(() -> assertThat(lock.tryLock(SHORT)).isFalse()).join();
        lock.unlock();
        inThread(() -> {
                    assertThat(lock.tryLock(LIMIT)).isTrue();
                    lock.unlock();
                })
                .join();
    }

    @Test
    void epochsGrowWithEachGrant() {
        ManagedLock lock = manager().lock();
        long last = 0;
        for (int i = 0; i < 3; i++) {
            lock.lock();
            assertThat(lock.epoch()).isGreaterThan(last);
            last = lock.epoch();
            lock.unlock();
        }
    }

    @Test
    void anInterruptEndsAWaitAndLeavesNoEntryBehind() {
        ManagedLock lock = manager().lock();
        lock.lock();
        CompletableFuture<Thread> begun = new CompletableFuture<>();
        CompletableFuture<@Nullable Void> waiter = inThread(() -> {
            begun.complete(Thread.currentThread());
            assertThatThrownBy(lock::lock).isInstanceOf(WaitInterruptedException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        });
        Interrupt.whenItWaits(begun.join());
        waiter.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        lock.unlock();
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    @Test
    void aConditionWakesAnotherProcess() {
        ManagedLock lock = manager().lock();
        ManagedCondition changed = lock.newCondition();
        ManagedList<Integer> box = manager().list();
        CompletableFuture<Boolean> reader = elsewhere(() -> {
            lock.lock();
            try {
                while (box.isEmpty()) {
                    changed.await();
                }
                box.add(box.get(0) + 1);
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        });
        lock.lock();
        try {
            box.add(41);
            changed.signalAll();
            while (box.size() < 2) {
                assertThat(changed.await(LIMIT)).isTrue();
            }
        } finally {
            lock.unlock();
        }
        assertEndsWell(reader);
        assertThat(box).containsExactly(41, 42);
    }

    @Test
    void whoWaitsForASignalInVainComesBackWithTheLock() throws Exception {
        ManagedLock lock = manager().reentrantLock();
        ManagedCondition never = lock.newCondition();
        lock.lock();
        lock.lock();
        assertThat(never.await(SHORT)).isFalse();
        assertThat(never.awaitNanos(1000)).isLessThanOrEqualTo(0);
        assertThat(lock.holdCount()).isEqualTo(2);
        Thread.currentThread().interrupt();
        assertThatThrownBy(never::await).isInstanceOf(InterruptedException.class);
        assertThat(lock.holdCount()).isEqualTo(2);
        lock.unlock();
        lock.unlock();
        assertThatThrownBy(never::signal)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageStartingWith("FBR-431");
        assertThatThrownBy(() -> never.await(SHORT)).isInstanceOf(IllegalMonitorStateException.class);
    }
}
