// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.FiberProcess;
import io.fiber.Pool;
import io.fiber.PoolActivity;
import io.fiber.backend.support.batch.Commands;
import io.fiber.tck.fault.Signal;
import io.fiber.tck.host.LogLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program of a user on a real cluster. {@link SlurmClusterTest} runs it as the user of a cluster. */
class SlurmPoolKit {

    @TempDir
    Path directory;

    static String host(int number) {
        return number + " " + ProcessHandle.current().pid();
    }

    private FiberBuilder builder() {
        return KitFiber.builderIn(directory.resolve("shared"));
    }

    @Test
    void poolMapsOnTheClusterAndLeavesNothing() {
        try (Fiber fiber = builder().open();
                Pool pool = fiber.pool(4)) {
            List<String> hosts = pool.map(SlurmPoolKit::host, IntStream.range(0, 1000));
            assertThat(hosts).hasSize(1000);
            assertThat(hosts.get(999))
                    .startsWith("999 ")
                    .doesNotEndWith(" " + ProcessHandle.current().pid());
        }
        assertThat(directory.resolve("shared")).isEmptyDirectory();
    }

    static String partition() {
        return System.getenv("SLURM_JOB_PARTITION");
    }

    @Test
    void poolHasAPartitionOfItsOwn() {
        try (Fiber fiber = builder().set("fiber.slurm.partition", "debug").open();
                Pool pool = fiber.poolBuilder(1)
                        .backendOptions(Map.of("slurm.partition", "high", "kubernetes.user", "image"))
                        .build()) {
            assertThat(pool.<String>apply(SlurmPoolKit::partition)).isEqualTo("high");
        }
    }

    @Test
    void workersWhoseJobsWaitSayWhatFor() {
        try (Fiber fiber = builder().set("fiber.slurm.sbatch", "--hold").open();
                Pool pool = fiber.pool(2)) {
            CompletableFuture<String> held = pool.applyAsync(SlurmPoolKit::host, 1);

            await().atMost(KitSession.LIMIT)
                    .untilAsserted(() -> assertThat(pool.activity().workers())
                            .extracting(PoolActivity.Worker::waitsFor)
                            .hasSize(2)
                            .allSatisfy(why -> assertThat(why)
                                    .hasValueSatisfying(
                                            words -> assertThat(words).startsWith("JobHeldUser"))));
            assertThat(held).isNotDone();
            pool.shutdownNow();
        }
    }

    @Test
    void processAndManagerWhoseJobsWaitSayWhatFor() {
        try (LogLines said = LogLines.of("io.fiber.runtime.process", Level.INFO);
                Fiber fiber = builder().set("fiber.slurm.sbatch", "--hold").open()) {
            CompletableFuture<?> process = CompletableFuture.runAsync(
                    () -> fiber.processBuilder(() -> {}).name("held").start());
            CompletableFuture<?> manager = CompletableFuture.runAsync(fiber::manager);

            for (String name : List.of("held", "manager")) {
                await(name)
                        .atMost(KitSession.LIMIT)
                        .until(() -> said.messages().stream()
                                .anyMatch(line -> line.matches("'[a-z-]*" + name
                                        + ".*' has waited for \\d+ s\\. The platform says: JobHeldUser.*")));
            }
            assertThat(process).isNotDone();
            assertThat(manager).isNotDone();
            fiber.shutdownNow();
        }
    }

    /** Ends this process suddenly when a file is there, after it has noted its node and what it has in shared memory there. */
    private static void die(String notes, String when) throws IOException {
        await().atMost(KitSession.LIMIT).until(() -> Files.exists(Path.of(when)));
        long pid = ProcessHandle.current().pid();
        String own = Cluster.run("bash", "-c", "ls -d /dev/shm/{,*/peers/}fiber-*-" + pid + " 2>/dev/null");
        Files.writeString(Path.of(notes), System.getenv("SLURMD_NODENAME") + "\n" + own);
        Signal.KILL.send(pid);
    }

    /** No worker comes to the node afterwards that would remove it. */
    @Test
    void workerThatIsKilledLeavesNothingInSharedMemoryOfItsNode() throws IOException {
        String notes = directory.resolve("notes").toString();
        try (Fiber fiber = builder().open()) {
            String when = directory.resolve("started").toString();
            FiberProcess process = fiber.process(() -> die(notes, when));
            // What a process sends just before it is killed may not arrive, also that it has started.
            Files.createFile(Path.of(when));
            assertThat(process.join()).isEqualTo(137);

            List<String> noted = Files.readAllLines(Path.of(notes));
            assertThat(noted).hasSize(2).element(1).asString().startsWith("/dev/shm/fiber-");
            Cluster.runJob(
                    directory,
                    "--nodelist=" + noted.get(0),
                    "--mem=50",
                    "--output=left",
                    "--wrap=test -e " + noted.get(1) + " || echo none");
            assertThat(directory.resolve("left")).hasContent("none");
        }
    }

    /** A program whose workers write to its console. */
    public static final class OnTheConsole {

        private OnTheConsole() {}

        private static int say(int number) {
            System.out.println("task " + number);
            return number;
        }

        public static void main(String[] arguments) {
            try (Fiber fiber = KitFiber.builderIn(Path.of(arguments[0])).open();
                    Pool pool = fiber.pool(2)) {
                pool.map(OnTheConsole::say, IntStream.range(0, 20));
            }
        }
    }

    @Test
    void normalEndOfAPoolIsNoErrorOnTheConsole() {
        Commands.Answer said = Cluster.answer(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                System.getProperty("java.class.path"),
                OnTheConsole.class.getName(),
                directory.resolve("shared").toString());

        assertThat(said.exitCode()).as(said.errors()).isZero();
        assertThat(said.output()).contains("task 0", "task 19").doesNotContain("slurmstepd");
        assertThat(said.errors()).doesNotContain("slurmstepd");
    }
}
