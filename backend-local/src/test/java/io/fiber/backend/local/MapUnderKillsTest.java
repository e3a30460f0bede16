// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.PoolStatistics;
import io.fiber.tck.fault.Killer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A long map whose workers are killed all the time. A kill counts an attempt of the item that was running, whoever has
 * killed: so the items are short and have so many attempts that none is expected to use all of them up.
 */
@Tag("slow")
class MapUnderKillsTest {

    private static final long SEED = 20;
    private static final int WORKERS = 4;
    private static final Duration ITEM = Duration.ofMillis(5);
    private static final Duration MEAN_PAUSE = Duration.ofMillis(150);

    @TempDir
    Path tmp;

    /** What a map has given, and how long it took. */
    private record Outcome(List<Long> results, long tookNs, PoolStatistics statistics) {}

    @Test
    void someKillsLoseNothing() {
        underKills(5, Duration.ZERO);
    }

    @Test
    @Tag("soak")
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void threeHundredKillsLoseNothing() {
        Outcome killed = underKills(300, Duration.ofSeconds(60));
        int items = killed.results().size();
        Outcome calm = withPool(pool -> map(pool, index -> index < items));

        assertThat(calm.results()).isEqualTo(killed.results());
        System.out.printf(
                "%d items in %.1f s, with %d workers killed in %.1f s: %.2f times; %d chunks ran again, %d workers were started%n",
                items,
                calm.tookNs() / 1e9,
                killed.statistics().workersLost(),
                killed.tookNs() / 1e9,
                (double) killed.tookNs() / calm.tookNs(),
                killed.statistics().chunksRerun(),
                killed.statistics().workersStarted());
    }

    /** The map has items until so many workers that were ready have been killed, and so much time has passed. */
    private Outcome underKills(int kills, Duration least) {
        Outcome outcome = withPool(pool -> {
            long endNs = System.nanoTime() + least.toNanos();
            Killer killer = Killer.start(SEED, MEAN_PAUSE, () -> new ReadyWorkers(tmp).victims(WORKERS));
            Outcome mapped;
            try (killer) {
                mapped = map(pool, index -> pool.statistics().workersLost() < kills || System.nanoTime() < endNs);
            }
            // A kill is counted when its command has ended, which close() waits for.
            assertThat(killer.kills()).isGreaterThanOrEqualTo(kills);
            return mapped;
        });
        assertThat(outcome.results())
                .isEqualTo(LongStream.range(0, outcome.results().size())
                        .map(MapUnderKillsTest::mixed)
                        .boxed()
                        .toList());
        assertThat(outcome.statistics().workersLost()).isGreaterThanOrEqualTo(kills);
        assertThat(outcome.statistics().tasksFailed()).isZero();
        assertThat(outcome.statistics().tasksDone()).isEqualTo(outcome.results().size());

        return outcome;
    }

    private Outcome withPool(Function<Pool, Outcome> body) {
        try (Fiber fiber = LocalFiber.builder()
                        .set("max-start-failures", "100")
                        .set("worker.jvm-options", "-Xmx64m,-XX:TieredStopAtLevel=1")
                        .open();
                Pool pool = fiber.poolBuilder(WORKERS)
                        .callOptions(CallOptions.defaults().maxReruns(5))
                        .initializer(new ReadyWorkers(tmp).initializer())
                        .start()) {
            pool.awaitReady();
            return body.apply(pool);
        }
    }

    private static Outcome map(Pool pool, Predicate<Long> goesOn) {
        long beganNs = System.nanoTime();
        List<Long> results = pool.map(
                index -> {
                    LocalFiber.last(ITEM);
                    return mixed(index);
                },
                Stream.iterate(0L, index -> index + 1).takeWhile(goesOn));
        return new Outcome(results, System.nanoTime() - beganNs, pool.statistics());
    }

    private static long mixed(long index) {
        return (index + 1) * 0x9E3779B97F4A7C15L;
    }
}
