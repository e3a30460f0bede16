// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.dockerjava.api.model.Container;
import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.FiberProcess;
import io.fiber.Pool;
import io.fiber.WorkerLostException;
import io.fiber.backend.support.SessionLabels;
import io.fiber.spec.EndCause;
import io.fiber.spec.Volume;
import io.fiber.tck.host.LogLines;
import io.fiber.tck.session.ContainerPoolTck;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A program of a user whose workers are containers. {@link DockerEngineTest} runs it beside a real engine. */
class DockerPoolKit extends ContainerPoolTck {

    private static final int LARGE_BYTES = 200_000_000;

    @Override
    protected FiberBuilder session() {
        return KitFiber.builder();
    }

    @Override
    protected String sharedMemoryOption() {
        return "docker.shm-size";
    }

    @Override
    protected int containers() {
        try (Engine engine = DockerFixture.engine()) {
            return containers(engine).size();
        }
    }

    @Override
    protected void awaitNothingLeft() {
        DockerFixture.awaitNothingLeft();
    }

    /** The master that is killed. */
    public static void main(String[] arguments) throws InterruptedException {
        runUntilKilled(KitFiber.builder());
    }

    private static List<Container> containers(Engine engine) {
        return engine.ask(docker -> docker.listContainersCmd()
                .withLabelFilter(Set.of(SessionLabels.SESSION))
                .exec());
    }

    @Test
    @Tag("soak")
    void messageOf200MegabytesPassesBothWays() {
        try (Fiber fiber = KitFiber.builder("1g").open();
                Pool pool = fiber.pool(1)) {
            assertThat(pool.apply(DockerPoolKit::bytes, LARGE_BYTES)).hasSize(LARGE_BYTES);
            assertThat(pool.apply(DockerPoolKit::sum, bytes(LARGE_BYTES))).isEqualTo(LARGE_BYTES);
        }
    }

    static String write(String text) throws IOException {
        Files.writeString(Path.of("written"), text);
        return Path.of("").toRealPath().toString();
    }

    @Test
    void workersGetTheImageVolumeDirectoryAndLabelsOfTheirPool() throws IOException {
        Path data = Files.createDirectory(directory.resolve("data"));
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxrwxrwx"));
        try (Fiber fiber = KitFiber.builder().open();
                Engine engine = DockerFixture.engine();
                Pool pool = fiber.poolBuilder(1)
                        .image(TestEngine.IMAGE)
                        .volumes(List.of(Volume.of(data.toString(), "/data")))
                        .workingDirectory(Path.of("/data"))
                        .labels(Map.of("team", "one"))
                        .build()) {
            assertThat(pool.apply(DockerPoolKit::write, "one")).isEqualTo("/data");
            assertThat(data.resolve("written")).hasContent("one");
            assertThat(containers(engine))
                    .singleElement()
                    .satisfies(container -> assertThat(container.getLabels()).containsEntry("team", "one"));
        }
    }

    static long secretBytes(int number) throws IOException {
        return Files.size(Path.of(ContainerPlan.BOOTSTRAP_DIRECTORY, ContainerPlan.BOOTSTRAP_FILE));
    }

    /** Its directory is root's, so the file stays. */
    @Test
    void secretOfAWorkerIsNoLongerInItsFile() {
        try (Fiber fiber = KitFiber.builder().open();
                Pool pool = fiber.pool(1)) {
            assertThat(pool.apply(DockerPoolKit::secretBytes, 1)).isZero();
        }
    }

    /** A file in /tmp is memory of the container. */
    static int fill(int megabytes) throws IOException {
        byte[] megabyte = new byte[1 << 20];
        try (OutputStream file = Files.newOutputStream(Files.createTempFile("full", null))) {
            for (int i = 0; i < megabytes; i++) {
                file.write(megabyte);
            }
        }
        return megabytes;
    }

    @Test
    void taskThatUsesTooMuchMemoryIsToldSo() {
        try (Fiber fiber = KitFiber.builder("64m").open();
                Pool pool = fiber.poolBuilder(1)
                        .callOptions(CallOptions.defaults().maxReruns(0))
                        .start()) {
            assertThatThrownBy(() -> pool.apply(DockerPoolKit::fill, 2_000))
                    .isInstanceOf(WorkerLostException.class)
                    .hasMessageContaining("out of memory (exit code 137): the container used more than its limit of 320"
                            + " MiB: heap 64 MiB, 192 MiB beside it, 64 MiB of /dev/shm; ask for more memory, or set"
                            + " fiber.docker.memory");
            assertThat(pool.apply(DockerPoolKit::fill, 1)).isEqualTo(1);
        }
    }

    @Test
    void processThatUsesTooMuchMemoryHasThatAsItsCause() {
        try (Fiber fiber = KitFiber.builder("64m").open();
                LogLines log = LogLines.of("io.fiber", Level.INFO)) {
            FiberProcess process =
                    fiber.processBuilder(() -> fill(2_000)).name("glutton").start();

            assertThat(process.join()).isEqualTo(137);
            assertThat(process.cause()).hasValue(EndCause.OUT_OF_MEMORY);
            assertThat(log.messages())
                    .anySatisfy(message -> assertThat(message)
                            .startsWith("FBR-317 Process 'glutton' did not end on its own: out of memory (exit code"
                                    + " 137): the container used more than its limit of 320 MiB"));
        }
    }

    @Test
    void mapOutlivesWorkersThatAreKilledOrRemovedFromOutside() {
        try (Fiber fiber = KitFiber.builder().open();
                Pool pool = fiber.pool(2);
                Engine engine = DockerFixture.engine()) {
            pool.map(DockerPoolKit::slow, IntStream.range(0, 10));
            CompletableFuture<List<Integer>> results =
                    CompletableFuture.supplyAsync(() -> pool.map(DockerPoolKit::slow, IntStream.range(0, 1000)));
            List<Container> workers = containers(engine);
            engine.signal(workers.get(0).getId(), "KILL");
            engine.remove(workers.get(1).getId());

            assertThat(results.join())
                    .isEqualTo(IntStream.range(0, 1000).boxed().toList());
        }
    }
}
