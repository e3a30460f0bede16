// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.FiberQueue;
import io.fiber.ManagedCondition;
import io.fiber.QueueClosedException;
import io.fiber.SerializationException;
import io.fiber.runtime.eventloop.Duty;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.Hosted;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.ServiceCall;
import io.fiber.runtime.rpc.Tree;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.runtime.serialization.Side;
import io.fiber.runtime.shared.host.Kind;
import io.fiber.runtime.shared.machines.AskedCall;
import io.fiber.runtime.shared.machines.BarrierMachine;
import io.fiber.runtime.shared.machines.LockMachine;
import io.fiber.runtime.shared.machines.Operation;
import io.fiber.runtime.shared.machines.Outcome;
import io.fiber.runtime.shared.machines.Party;
import io.fiber.runtime.shared.machines.QueueMachine;
import io.fiber.spi.Options;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Synchronizers of the root as its worker uses them, both in one thread: what waits at the worker conducts both. */
class SyncProxyTest {

    private static final Party OTHER = new Party(ProcessPath.root().child(9), 1);

    /** So many cycles after it began, a wait that nothing ends is ended by the test. */
    private static final int TOO_MANY_CYCLES = 100_000;

    private final Tree tree = new Tree();
    private final Tree.Node root = tree.root(Seals.none());
    private final Tree.Node worker = root.worker(1);
    private final ProcessContext process = new ProcessContext(
            worker.router(), binding -> Codecs.of(new JavaSerializerProvider(), Options.none(), Side.WORKER, binding));
    private final List<Outcome> toldOther = new ArrayList<>();
    private final List<Runnable> cycles = new ArrayList<>();
    private @Nullable Hosted machine;

    SyncProxyTest() {
        worker.router().conductor().addDuty(new Duty() {
            private int cycle;

            @Override
            public int doWork(long nowNs) {
                root.router().conductor().doWork();
                List.copyOf(cycles).forEach(Runnable::run);
                if (++cycle == TOO_MANY_CYCLES) {
                    worker.router().onClose();
                }
                return 0;
            }

            @Override
            public boolean isUrgent() {
                return true;
            }
        });
    }

    @AfterEach
    void noInterruptIsLeft() {
        assertThat(Thread.interrupted()).isFalse();
    }

    private RemoteObject host(Hosted made) {
        machine = made;
        return new RemoteObject(process, root.router().host(made));
    }

    /** Another process asks the machine; returns the last that it was told. */
    private Outcome other(Operation operation, long number, SealedPayload item) {
        if (machine != null) {
            machine.onCall(
                    new AskedCall(OTHER, operation, number, item, (call, reply) -> toldOther.add(reply.outcome())));
        }
        return toldOther.get(toldOther.size() - 1);
    }

    private Outcome other(Operation operation) {
        return other(operation, 1, SealedPayload.none());
    }

    @Test
    void anItemThatTheHeapHadNoRoomForIsTakenAndKeepsNoReaderWaiting() {
        FiberQueue<String> queue = new QueueProxy<>(host(new QueueMachine(9, Long.MAX_VALUE)), Kind.QUEUE);
        other(Operation.PUT, 0, new SealedPayload(Payload.refused(900_000_000), 0, 0));
        queue.put("next");
        assertThatThrownBy(queue::take)
                .isInstanceOf(SerializationException.class)
                .hasMessageStartingWith("FBR-208 A message of 900000000 bytes does not fit");
        assertThat(queue.take()).isEqualTo("next");
        queue.close();
        assertThatThrownBy(queue::poll).isInstanceOf(QueueClosedException.class).hasMessageStartingWith("FBR-411 ");
    }

    @Test
    void anInterruptedThreadClosesAQueue() {
        FiberQueue<String> queue = new QueueProxy<>(host(new QueueMachine(9, Long.MAX_VALUE)), Kind.QUEUE);
        Thread.currentThread().interrupt();
        queue.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(other(Operation.PUT)).isEqualTo(Outcome.CLOSED);
    }

    @Test
    @SuppressWarnings("WaitNotInLoop") // one wait is what is shown
    void aWaitThatCannotBeInterruptedMissesNoSignal() {
        LockProxy lock = new LockProxy(host(LockMachine.plain()), Kind.LOCK);
        ManagedCondition condition = lock.newCondition();
        lock.lock();
        cycles.add(new Runnable() {
            private int held;

            @Override
            public void run() {
                if (held == 0 && other(Operation.TRY_LOCK) != Outcome.DONE) {
                    return;
                }
                switch (++held) {
                    case 1 -> Thread.currentThread().interrupt();
                    case 1_000 -> {
                        other(Operation.SIGNAL);
                        other(Operation.UNLOCK);
                    }
                    default -> {}
                }
            }
        });
        condition.awaitUninterruptibly();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(lock.holdCount()).isEqualTo(1);
    }

    @Test
    @SuppressWarnings("LockNotBeforeTry") // the test is about the unlock
    void anInterruptWhileALockIsGivenBackComesAfterThat() {
        Hosted host = LockMachine.plain();
        machine = host;
        List<ServiceCall> held = new ArrayList<>();
        boolean[] holds = {false};
        ObjectAddress address = root.router().host(new Hosted() {
            @Override
            public void onCall(ServiceCall call) {
                if (holds[0]) {
                    call.onAbandoned(held::clear);
                    held.add(call);
                    Thread.currentThread().interrupt();
                } else {
                    host.onCall(call);
                }
            }
        });
        LockProxy lock = new LockProxy(new RemoteObject(process, address), Kind.LOCK);
        lock.lock();
        holds[0] = true;
        cycles.add(new Runnable() {
            private int late;

            @Override
            public void run() {
                if (!held.isEmpty() && ++late == 1_000) {
                    host.onCall(held.remove(0));
                }
            }
        });
        lock.unlock();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(other(Operation.TRY_LOCK)).isEqualTo(Outcome.DONE);
    }

    @Test
    void atABarrierThatDoesNotOpenInTimeItsActionMayBeTheReason() {
        BarrierProxy barrier = new BarrierProxy(host(BarrierMachine.withAction(2)), 2, () -> {});
        assertThatThrownBy(() -> barrier.await(Duration.ZERO))
                .hasMessageStartingWith("FBR-433 The barrier is broken: not all 2 parties of ")
                .hasMessageContaining(" arrived within PT0S, or its action had not finished by then.");
    }
}
