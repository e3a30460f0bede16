// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.tck.fault.Signal;
import io.fiber.tck.fault.Slowdown;
import io.fiber.tck.fault.UnreachableJobs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Workers that run now and then, or not for a minute. */
@Tag("slow")
class StoppedWorkerTest {

    @TempDir
    Path tmp;

    private static io.fiber.function.RemoteFunction<Integer, Integer> noting(Path file, Duration time) {
        String name = file.toString();
        return item -> {
            LocalFiber.note(name, LocalFiber.pid());
            LocalFiber.last(time);
            return item * 2;
        };
    }

    private static List<Integer> doubled(int count) {
        return LocalFiber.numbers(count).stream().map(x -> x * 2).toList();
    }

    private static long pid(Path notes, int index) {
        return Long.parseLong(LocalFiber.notes(notes).get(index));
    }

    /** Nobody kills it: its platform does not reach it, as the node agent of a host that hangs. */
    @Test
    @Tag("soak")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void workerThatWasStoppedForAMinuteEndsByItself() {
        AtomicLong stopped = new AtomicLong();
        try (Fiber fiber = LocalFiber.builder(new UnreachableJobs(
                                new LocalBackendProvider(), job -> !job.id().equals(stopped.toString())))
                        .open();
                Pool pool = fiber.pool(2)) {
            Path notes = tmp.resolve("pids");
            CompletableFuture<List<Integer>> results =
                    pool.mapAsync(noting(notes, Duration.ofMillis(100)), LocalFiber.numbers(300));
            LocalFiber.awaitNotes(notes, 20);
            stopped.set(pid(notes, 15));

            Signal.STOP.send(stopped.get());
            long beganNs = System.nanoTime();
            assertThat(results).succeedsWithin(Duration.ofMinutes(2)).isEqualTo(doubled(300));
            await("a minute")
                    .atMost(Duration.ofMinutes(3))
                    .until(() -> System.nanoTime() - beganNs > TimeUnit.SECONDS.toNanos(60));
            assertThat(Signal.isRunning(stopped.get())).isTrue();
            long finished = pool.statistics().tasksDone();

            Signal.CONTINUE.send(stopped.get());

            LocalSession.assertGone(stopped.get());
            assertThat(finished).isEqualTo(300);
            assertThat(pool.map(x -> x + 1, List.of(1, 2))).containsExactly(2, 3);
            assertThat(pool.statistics().tasksDone()).isEqualTo(302);
            assertThat(pool.statistics().workersLost()).isEqualTo(1);
            assertThat(pool.statistics().workersStarted()).isEqualTo(3);
        }
    }

    /** It is slow, not dead: it keeps its lease, and most of the work goes to the other one. */
    @Test
    @Tag("soak")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void workerThatIsStarvedIsNotLost() {
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(2)) {
            Path notes = tmp.resolve("pids");
            CompletableFuture<List<Integer>> results = pool.with(CallOptions.defaults())
                    .mapAsync(noting(notes, Duration.ofMillis(10)), LocalFiber.numbers(2000));
            LocalFiber.awaitNotes(notes, 20);
            long slow = pid(notes, 15);
            try (Slowdown ignored = Slowdown.of(slow, Duration.ofSeconds(2), 90)) {
                assertThat(results).succeedsWithin(Duration.ofMinutes(8)).isEqualTo(doubled(2000));
                assertThat(ignored).isNotNull();
            }
            assertThat(pool.statistics().workersLost()).isZero();
            assertThat(LocalFiber.notes(notes)).hasSize(2000);
            assertThat(LocalFiber.notes(notes).stream().filter(Long.toString(slow)::equals))
                    .hasSizeLessThan(700);
        }
    }
}
