// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.session;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.FiberQueue;
import io.fiber.Pool;
import io.fiber.PoolBrokenException;
import io.fiber.RemoteTaskException;
import io.fiber.WorkerLostException;
import io.fiber.WorkersMissingException;
import io.fiber.function.RemoteRunnable;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests what a pool promises if what a task needs ends its worker before the task has started, or does not fit into a
 * process. Few jobs are lost, the call fails with the reason, and other calls continue. The platform counts the jobs. A
 * backend's module extends this class. The kit's classes must be on the class path of its workers.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class WorkerKillersTck {

    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final int EXIT_CODE = 5;
    /** What {@code retries} of 2 and {@code max-start-failures} of 3 allow. */
    private static final int MOST_LOSSES = 3;

    private static final String SMALL_MEMORY = "32m";
    /**
     * More than three quarters of 64 MB. The heap of 256 MB that sends it has it three times: as an object, serialized
     * and sealed.
     */
    private static final int TOO_LARGE_BYTES = 52 << 20;

    private @Nullable Fiber fiber;

    /**
     * Returns a builder of a session on the backend under test, whose workers have this much memory, for example 32m.
     */
    protected abstract FiberBuilder session(String memory);

    /**
     * Returns how many jobs the session of a pool has given to the platform so far, including those that have ended.
     *
     * @param pool a working pool, by which a worker can be asked for the platform's name of the session
     */
    protected abstract long jobs(Pool pool);

    @BeforeAll
    void openSession() {
        fiber = session(SMALL_MEMORY).open();
    }

    /** Checks that nothing of a closed session is left on the platform. */
    protected void assertNothingLeft() {}

    @AfterAll
    void closeSession() {
        if (fiber != null) {
            fiber.close();
            assertNothingLeft();
        }
    }

    private Fiber fiber() {
        return requireNonNull(fiber);
    }

    private Pool poolOfTwo() {
        Pool pool = fiber().poolBuilder(2).start();
        pool.awaitReady();
        return pool;
    }

    private static void assertWorks(Pool pool) {
        assertThat(pool.map(i -> i + 1, IntStream.range(0, 100)))
                .isEqualTo(IntStream.range(1, 101).boxed().toList());
    }

    /** Waits, because the platform may show a job a moment after it was submitted. */
    private void assertJobs(Pool pool, long expected) {
        assertWorks(pool);
        pool.awaitReady();
        await("jobs of the platform")
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(jobs(pool)).isGreaterThanOrEqualTo(expected));
        assertThat(jobs(pool)).as("jobs of the platform").isEqualTo(expected);
    }

    /** A value whose deserialization ends each process except the one that created it. */
    private static final class Bomb implements Serializable {
        private static final long serialVersionUID = 1L;
        /** Not the process id, because processes in containers have the same ids. */
        private static final String HERE = UUID.randomUUID().toString();

        private final String maker = HERE;

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            if (!maker.equals(HERE)) {
                die();
            }
        }

        int size() {
            return maker.length();
        }
    }

    private static void die() {
        System.out.println("the last words of a worker");
        Runtime.getRuntime().halt(EXIT_CODE);
    }

    @Test
    void functionThatEndsTheWorkersThatReadItFailsItsCallAndNoOther() {
        try (Pool pool = poolOfTwo()) {
            long before = jobs(pool);
            Bomb captured = new Bomb();
            CompletableFuture<Integer> killer = pool.applyAsync(() -> captured.size());
            CompletableFuture<List<Integer>> other = pool.mapAsync(i -> -i, IntStream.range(0, 1_000));

            assertThat(killer)
                    .failsWithin(LIMIT)
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(WorkerLostException.class)
                    .withMessageContaining("FBR-402 A task of pool '")
                    .withMessageContaining("was started 3 times, and its worker was lost each time")
                    .withMessageContaining("exit code " + EXIT_CODE)
                    .withMessageContaining("the last words of a worker");
            assertThat(other)
                    .succeedsWithin(LIMIT)
                    .isEqualTo(IntStream.range(0, 1_000).mapToObj(i -> -i).toList());
            assertThat(pool.statistics().workersLost()).isEqualTo(MOST_LOSSES);
            assertJobs(pool, before + MOST_LOSSES);
        }
    }

    @Test
    void argumentThatEndsTheWorkersThatReadItFailsItsTaskAndNoOther() {
        try (Pool pool = poolOfTwo()) {
            long before = jobs(pool);
            List<Object> items = new ArrayList<>(IntStream.range(0, 20).boxed().toList());
            items.set(7, new Bomb());

            assertThatThrownBy(() ->
                            pool.with(CallOptions.defaults().chunkSize(20)).map(Object::hashCode, items))
                    .isInstanceOf(WorkerLostException.class)
                    .hasMessageContaining("FBR-402 Task 7 of pool '")
                    .hasMessageContaining("was started 3 times")
                    .hasMessageContaining("exit code " + EXIT_CODE)
                    .hasMessageContaining("the last words of a worker");
            assertJobs(pool, before + MOST_LOSSES);
        }
    }

    @Test
    void argumentThatIsLargerThanItsWorkersHeapIsRefusedAndNoJobIsLost() {
        try (Pool pool = poolOfTwo()) {
            long before = jobs(pool);
            byte[] large = new byte[TOO_LARGE_BYTES];

            assertThatThrownBy(() -> pool.apply(bytes -> bytes.length, large))
                    .isInstanceOf(RemoteTaskException.class)
                    .hasMessageContaining("FBR-208 A message of 54")
                    .hasMessageContaining("does not fit into the heap")
                    .hasMessageContaining("Give the process more memory");
            assertThat(pool.statistics().workersLost()).isZero();
            assertJobs(pool, before);
        }
    }

    @Test
    void initializerThatEndsItsWorkersEndsItsPoolAfterFewJobs() {
        try (Pool sound = poolOfTwo()) {
            long before = jobs(sound);
            RemoteRunnable killer = WorkerKillersTck::die;
            try (Pool pool = fiber().poolBuilder(1).initializer(killer).build()) {
                assertThatThrownBy(() -> pool.apply(() -> 1))
                        .isInstanceOf(PoolBrokenException.class)
                        .hasMessageStartingWith("FBR-403 Pool ")
                        .hasMessageContaining("3 workers in a row failed to start")
                        .hasMessageContaining("exit code " + EXIT_CODE)
                        .hasMessageContaining("the last words of a worker");
            }
            assertJobs(sound, before + MOST_LOSSES);
        }
    }

    @Test
    void initializerThatEndsAllWorkersButOneIsRunByFewJobs() {
        try (Pool sound = poolOfTwo()) {
            long before = jobs(sound);
            FiberQueue<Integer> tickets = fiber().queue();
            tickets.put(1);
            RemoteRunnable killer = () -> {
                if (tickets.poll(Duration.ZERO).isEmpty()) {
                    die();
                }
            };
            try (Pool pool = fiber().poolBuilder(1).initializer(killer).start()) {
                pool.awaitReady();
                pool.resize(2);

                assertThatThrownBy(pool::awaitReady)
                        .isInstanceOf(WorkersMissingException.class)
                        .hasMessageStartingWith("FBR-407 The last 3 workers of pool ")
                        .hasMessageContaining("ended in the pool's initializer")
                        .hasMessageContaining("exit code " + EXIT_CODE)
                        .hasMessageContaining("The one running worker continues. The missing ones are not replaced");
                assertWorks(pool);
                assertJobs(sound, before + 1 + MOST_LOSSES);
            }
        }
    }

    /** A master with a heap of 64 MB, and a worker with more. */
    static final class SmallMaster {
        private SmallMaster() {}

        /** Opens a session of the class given as an argument. */
        public static void main(String[] arguments) throws ReflectiveOperationException {
            Constructor<?> kit = Class.forName(arguments[0]).getDeclaredConstructor();
            kit.setAccessible(true);
            try (Fiber fiber = ((WorkerKillersTck) kit.newInstance())
                            .session("300m")
                            .open();
                    Pool pool = fiber.pool(1)) {
                assertThatThrownBy(() -> pool.apply(() -> new byte[TOO_LARGE_BYTES]))
                        .hasMessageContaining("FBR-208 A message of 54")
                        .hasMessageContaining("does not fit into the heap of the process that received it");
                assertWorks(pool);
                assertThat(pool.statistics().workersLost()).isZero();
                assertThat(pool.statistics().workersStarted()).isOne();
            }
        }
    }

    @Test
    void resultThatIsLargerThanTheMastersHeapIsTheErrorOfItsCall(@TempDir Path directory) throws Exception {
        Process master = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-Djava.io.tmpdir=" + directory,
                        "--add-exports",
                        "java.base/jdk.internal.misc=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SmallMaster.class.getName(),
                        getClass().getName()))
                .inheritIO()
                .start();
        try {
            assertThat(master.waitFor())
                    .as("exit code of the program with the small heap")
                    .isZero();
        } finally {
            master.destroyForcibly();
        }
    }
}
