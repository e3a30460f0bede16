// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.gridengine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.Fiber;
import io.fiber.FiberException;
import io.fiber.FiberProcess;
import io.fiber.Pool;
import io.fiber.PoolActivity;
import io.fiber.examples.PiEstimation;
import io.fiber.spec.EndCause;
import io.fiber.spec.Resources;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Programs of users on Grid Engine. {@link GridEngineClusterTest} runs it. */
class GridEnginePoolKit {

    private static final Duration LIMIT = Duration.ofMinutes(3);

    @AfterEach
    void nothingIsLeftInTheQueue() {
        await("nothing of a session is left, in whatever state")
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(Cell.left("")).isEmpty());
    }

    private static String task(int number) {
        return number + " " + System.getenv("SGE_TASK_ID");
    }

    private static String queue() {
        return System.getenv("QUEUE") + " " + System.getenv("NSLOTS");
    }

    private static String text() {
        return System.getenv("TEXT");
    }

    private static int allocate(int megabytes) {
        return new byte[megabytes << 20].length >> 20;
    }

    private static int sleep(int seconds) throws InterruptedException {
        Thread.sleep(seconds * 1_000L);
        return seconds;
    }

    @Test
    void poolMapsAndLeavesNothing() {
        try (Fiber fiber = KitFiber.builder().open();
                Pool pool = fiber.pool(3)) {
            List<String> tasks = pool.map(GridEnginePoolKit::task, IntStream.range(0, 1_000));

            assertThat(tasks).hasSize(1_000);
            assertThat(tasks.get(999)).matches("999 [123]");
        }
        assertThat(KitFiber.directory()).isEmptyDirectory();
    }

    @Test
    void exampleOfTheReadmeEstimatesPi() {
        String output = Cell.run(
                "env",
                "FIBER_BACKEND=gridengine",
                "FIBER_START_LIMIT=150s",
                "FIBER_CDS=false",
                "FIBER_GRIDENGINE_DIRECTORY=" + KitFiber.directory(),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                PiEstimation.class.getName());

        assertThat(output).containsPattern("(?m)^Pi is roughly 3\\.1[34]");
    }

    @Test
    void poolHasAQueueAProjectAndSlotsOfItsOwn() {
        try (Fiber fiber = KitFiber.builder().open();
                Pool pool = fiber.poolBuilder(1)
                        .resources(Resources.cpus(2))
                        .backendOptions(Map.of("gridengine.queue", "all.q", "gridengine.project", "chem"))
                        .build()) {
            assertThat(pool.<String>apply(GridEnginePoolKit::queue)).isEqualTo("all.q 2");
        }
    }

    /** A JVM reserves more addresses than it uses memory, and h_vmem limits addresses. */
    @Test
    void workerHasTheMemoryThatItRequests() {
        try (Fiber fiber = KitFiber.builder().open();
                Pool pool =
                        fiber.poolBuilder(1).resources(Resources.memory("48m")).build()) {
            assertThat((int) pool.apply(GridEnginePoolKit::allocate, 24)).isEqualTo(24);
        }
    }

    @Test
    void workersWhoseJobsAreHeldSayWhatFor() {
        try (Fiber fiber = KitFiber.builder().set("fiber.gridengine.qsub", "-h").open();
                Pool pool = fiber.pool(2)) {
            CompletableFuture<String> held = pool.applyAsync(GridEnginePoolKit::task, 1);

            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(pool.activity().workers())
                            .extracting(PoolActivity.Worker::waitsFor)
                            .hasSize(2)
                            .allSatisfy(why -> assertThat(why)
                                    .hasValueSatisfying(
                                            words -> assertThat(words).matches("it is held; qrls \\d+ releases it"))));
            assertThat(held).isNotDone();
            pool.shutdownNow();
        }
    }

    @Test
    void jobInErrorStateIsAFailedStartWithItsReasonAndLeavesTheQueue() {
        try (Fiber fiber = KitFiber.builder()
                .set("fiber.gridengine.qsub", "-wd /not/there")
                .open()) {
            assertThatThrownBy(() -> fiber.process(GridEnginePoolKit::queue).join())
                    .isInstanceOf(FiberException.class)
                    .hasStackTraceContaining("Grid Engine accepted the job but will never run it (error state Eqw: ")
                    .hasStackTraceContaining("/not/there")
                    .hasStackTraceContaining("Mend that; Fiber removes this job.");
        }
    }

    @Test
    void jobThatNoHostCouldRunIsRefusedAtOnce() {
        try (Fiber fiber = KitFiber.builder().open()) {
            assertThatThrownBy(() -> fiber.processBuilder(GridEnginePoolKit::queue)
                            .resources(Resources.cpus(50))
                            .start())
                    .isInstanceOf(FiberException.class)
                    .hasStackTraceContaining("FBR-131 Grid Engine refused the job: ")
                    .hasStackTraceContaining("no suitable queues")
                    .hasStackTraceContaining("qconf -spl");
        }
    }

    /** What the program sends for its console must not be read by qsub as a directive. */
    @Test
    void valueWithALineLikeADirectiveIsOnlyAValue() {
        try (Fiber fiber = KitFiber.builder().open();
                Pool pool = fiber.poolBuilder(1)
                        .environment(Map.of("TEXT", "first\n#$ -q no.such.queue\nlast"))
                        .build()) {
            assertThat(pool.<String>apply(GridEnginePoolKit::text)).isEqualTo("first\n#$ -q no.such.queue\nlast");
        }
    }

    /** The records come up to 15 s late; the script that was killed says nothing. */
    @Test
    void timeLimitIsReadFromTheRecords() {
        try (Fiber fiber =
                KitFiber.builder().set("fiber.gridengine.time-limit", "8s").open()) {
            FiberProcess process = fiber.process(() -> sleep(300));

            assertThat(process.join()).isEqualTo(137);
            assertThat(process.cause()).contains(EndCause.TIME_LIMIT);
        }
    }
}
