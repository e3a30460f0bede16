// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.AsyncProxy;
import io.fiber.ManagedBarrier;
import io.fiber.ManagedEvent;
import io.fiber.ManagedList;
import io.fiber.Manager;
import io.fiber.Pool;
import io.fiber.RemoteTaskException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Objects of a manager whose calls return futures. */
abstract class AsyncObjectsContract extends ManagerContract {

    private static final int MANY = 40;
    private static final int SHORT_CALLS = 30;

    @Test
    void tenAndThirtyTwoAreFortyTwo() throws Exception {
        try (Manager async = fiber().manager()) {
            AsyncProxy<AtomicInteger> number = async.hostAsync(() -> new AtomicInteger(10));
            assertThat(number.call(n -> n.addAndGet(32)).get()).isEqualTo(42);
            assertThat(number.call(n -> n.get() + 1).thenApply(n -> n - 1).get(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isEqualTo(42);
        }
    }

    /** Each call ends only when the calls of all four have started. */
    @Test
    void fourManagersWorkAtTheSameTime() {
        ManagedBarrier all = manager().barrier(4);
        List<Manager> managers = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                managers.add(fiber().manager());
            }
            // Only now: a start may take longer than a party waits at the barrier.
            List<CompletableFuture<Integer>> calls = managers.stream()
                    .map(async -> async.hostAsync(AtomicInteger::new).call(n -> all.await(LIMIT)))
                    .toList();
            assertThat(calls.stream().map(CompletableFuture::join)).containsExactlyInAnyOrder(0, 1, 2, 3);
        } finally {
            managers.forEach(Manager::close);
        }
    }

    @Test
    void objectsOfOneManagerWorkAtTheSameTimeAndCallsOnOneInTheirOrder() {
        ManagedBarrier both = manager().barrier(2);
        try (Manager async = fiber().manager()) {
            AsyncProxy<List<Integer>> first = async.hostAsync(ArrayList::new);
            AsyncProxy<List<Integer>> second = async.hostAsync(ArrayList::new);
            CompletableFuture<Integer> a = first.call(list -> both.await(LIMIT));
            CompletableFuture<Integer> b = second.call(list -> both.await(LIMIT));
            assertThat(a.join() + b.join()).isEqualTo(1);
            List<CompletableFuture<Boolean>> adds = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                int number = i;
                adds.add(first.call(list -> list.add(number)));
            }
            assertThat(adds).allMatch(CompletableFuture::join);
            assertThat(first.call(list -> List.copyOf(list)).join()).isSorted().hasSize(100);
        }
    }

    /**
     * Each call ends only when the calls of all have started; no other call delays calls that were short until then.
     */
    @Test
    void objectsThatWaitForEachOtherDoNotHoldUpEachOther() {
        ManagedBarrier all = manager().barrier(MANY);
        try (Manager async = fiber().manager()) {
            List<AsyncProxy<AtomicInteger>> objects = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                AsyncProxy<AtomicInteger> object = async.hostAsync(AtomicInteger::new);
                objects.add(object);
                for (int n = 0; n < SHORT_CALLS; n++) {
                    object.call(AtomicInteger::incrementAndGet).join();
                }
            }
            List<CompletableFuture<Integer>> calls = new ArrayList<>();
            objects.forEach(object -> calls.add(object.call(n -> all.await(LIMIT))));
            assertThat(calls.stream().map(CompletableFuture::join))
                    .doesNotHaveDuplicates()
                    .hasSize(MANY);
        }
    }

    @Test
    void errorsArrive() {
        try (Manager async = fiber().manager()) {
            AsyncProxy<String> text = async.hostAsync(() -> "text");
            CompletableFuture<Integer> failing = text.call(t -> {
                throw new IOException("no " + t);
            });
            assertThatThrownBy(failing::get)
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(RemoteTaskException.class)
                    .hasMessageContaining("no text");
            CompletableFuture<Object> strange = text.call(t -> new Object());
            assertThatThrownBy(strange::join).hasMessageContaining("FBR-201");
            async.process().kill();
            async.process().onExit().join();
            assertThatThrownBy(text.call(String::length)::join).hasMessageContaining("FBR-400");
        }
    }

    @Test
    void aCancelledCallIsInterruptedAndOneThatHasNotBegunNeverWill() {
        ManagedEvent begun = manager().event();
        ManagedList<String> trace = manager().list();
        try (Manager async = fiber().manager()) {
            AsyncProxy<String> object = async.hostAsync(() -> "object");
            CompletableFuture<Boolean> running = object.call(o -> {
                begun.set();
                try {
                    Thread.sleep(LIMIT.toMillis());
                } catch (InterruptedException e) {
                    return trace.add("interrupted");
                }
                return trace.add("slept");
            });
            CompletableFuture<Boolean> waiting = object.call(o -> trace.add("began"));
            begun.await();
            assertThat(waiting.cancel(true)).isTrue();
            assertThat(running.cancel(true)).isTrue();
            assertThatThrownBy(running::join).isInstanceOf(CancellationException.class);
            assertThat(object.call(String::length).join()).isEqualTo(6);
            assertThat(trace).containsExactly("interrupted");
        }
    }

    @Test
    void workersCallAsynchronouslyToo() {
        try (Manager async = fiber().manager();
                Pool pool = fiber().pool(2)) {
            AsyncProxy<AtomicInteger> number = async.hostAsync(AtomicInteger::new);
            List<Integer> values =
                    pool.map(i -> number.call(n -> n.addAndGet(i)).join(), List.of(1, 2, 3, 4));
            assertThat(values).hasSize(4);
            assertThat(number.call(AtomicInteger::get).join()).isEqualTo(10);
        }
    }
}
