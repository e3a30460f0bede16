// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.ConfigurationException;
import io.fiber.Fiber;
import io.fiber.FiberProcess;
import io.fiber.FiberProcessBuilder;
import io.fiber.FiberQueue;
import io.fiber.Manager;
import io.fiber.Pool;
import io.fiber.PoolBrokenException;
import io.fiber.ProcessStartException;
import io.fiber.RingBuilder;
import io.fiber.spec.Volume;
import io.fiber.spi.backend.JobRejectedException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a builder says of its jobs reaches them, also those that a worker asks its master for. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JobChoicesTest {

    @RegisterExtension
    final SharedSession session = new SharedSession(LocalFiber::builder);

    @TempDir
    private Path temporary;

    private String place = "";

    @BeforeEach
    void findPlace() throws IOException {
        place = temporary.toRealPath().toString();
    }

    static String here() throws IOException {
        return Path.of("").toRealPath().toString();
    }

    private static void requirePlace(String wanted) throws IOException {
        if (!here().equals(wanted)) {
            throw new IllegalStateException("This process is in " + here() + ", not in " + wanted + ".");
        }
    }

    private static void requirePlaceOfOwnWorker(String wanted) {
        try (Pool pool =
                Fiber.current().poolBuilder(1).workingDirectory(Path.of(wanted)).build()) {
            String found = pool.apply(JobChoicesTest::here);
            if (!found.equals(wanted)) {
                throw new IllegalStateException("The worker is in " + found + ", not in " + wanted + ".");
            }
        }
    }

    @Test
    void workersOfAPoolStartInTheirDirectory() {
        try (Pool pool = session.fiber()
                .poolBuilder(1)
                .workingDirectory(temporary)
                .labels(Map.of("team", "one"))
                .build()) {
            assertThat(pool.<String>apply(JobChoicesTest::here)).isEqualTo(place);
        }
    }

    @Test
    void processesRingsAndManagersStartInTheirDirectory() {
        String wanted = place;
        FiberProcess process = session.fiber()
                .processBuilder(() -> requirePlace(wanted))
                .workingDirectory(temporary)
                .start();
        assertThat(process.join()).isZero();
        session.fiber().ringBuilder(2).workingDirectory(temporary).build().run(member -> requirePlace(wanted));
        try (Manager manager = session.fiber()
                .managerBuilder()
                .workingDirectory(temporary)
                .initializer(() -> requirePlace(wanted))
                .start()) {
            assertThat(manager.list()).isNotNull();
        }
    }

    private static void tellJobName(FiberQueue<String> names) {
        names.put(Fiber.current().currentProcess().name());
    }

    @Test
    void namesOfProcessesRingsAndManagersAreInThoseOfTheirJobs() {
        FiberQueue<String> names = session.fiber().queue();

        session.fiber()
                .processBuilder(() -> tellJobName(names))
                .name("Train it!")
                .start()
                .join();
        session.fiber().ringBuilder(1).name("sweep").build().run(member -> tellJobName(names));
        session.fiber()
                .managerBuilder()
                .name("counts")
                .initializer(() -> tellJobName(names))
                .start()
                .close();

        assertThat(names.take()).matches("process-train-it--[0-9]+");
        assertThat(names.take()).matches("process-sweep-rank-0-[0-9]+");
        assertThat(names.take()).matches("process-counts-[0-9]+");
    }

    @Test
    void whatAWorkerSaysOfItsOwnWorkersReachesTheMaster() {
        String wanted = place;
        assertThat(session.fiber()
                        .process(() -> requirePlaceOfOwnWorker(wanted))
                        .join())
                .isZero();
    }

    @Test
    void timeLimitOfAProcessReachesItsBackend() {
        Interceptor interceptor = new Interceptor();
        try (Fiber fiber = LocalFiber.builder(interceptor).open()) {
            FiberProcess process = fiber.processBuilder(() -> {})
                    .timeLimit(Duration.ofHours(3))
                    .start();

            assertThat(process.join()).isZero();
            assertThat(interceptor.specs())
                    .singleElement()
                    .satisfies(spec -> assertThat(spec.timeLimit()).contains(Duration.ofHours(3)));
        }
    }

    private static void requireRefusalOfOwnWorker() {
        try (Pool pool = Fiber.current()
                .poolBuilder(1)
                .backendOptions(Map.of("lease", "5s"))
                .build()) {
            pool.apply(() -> 1);
        } catch (PoolBrokenException e) {
            if (String.valueOf(e.getMessage()).contains("FBR-106 Setting 'lease' (from backendOptions)")) {
                return;
            }
            throw e;
        }
        throw new IllegalStateException("The master has started the worker.");
    }

    @Test
    void optionsOfAnotherBackendArePassedOverAndWrongOnesRefused() {
        try (Pool pool = session.fiber()
                .poolBuilder(1)
                .backendOptions(Map.of("slurm.partition", "gpu"))
                .build()) {
            assertThat(pool.<Integer>apply(() -> 1)).isEqualTo(1);
        }
        FiberProcessBuilder refused =
                session.fiber().processBuilder(() -> {}).backendOptions(Map.of("slrum.partition", "gpu"));
        assertThatThrownBy(refused::start)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("FBR-120 Unknown setting 'slrum.partition' (from backendOptions).");
        RingBuilder ring = session.fiber().ringBuilder(2).backendOptions(Map.of("slrum.partition", "gpu"));
        assertThatThrownBy(ring::build).isInstanceOf(ConfigurationException.class);
        assertThat(session.fiber()
                        .process(JobChoicesTest::requireRefusalOfOwnWorker)
                        .join())
                .isZero();
    }

    @Test
    void whatTheBackendDoesNotOfferIsRefused() {
        try (Pool pool = session.fiber()
                .poolBuilder(1)
                .name("train")
                .image("eclipse-temurin:21-jre")
                .build()) {
            assertThatThrownBy(() -> pool.apply(() -> 1))
                    .isInstanceOf(PoolBrokenException.class)
                    .hasMessageMatching(".*-train-\\d+' needs IMAGE \\(image=eclipse-temurin:21-jre\\); backend 'local'"
                            + " does not offer it\\..*")
                    .hasRootCauseExactlyInstanceOf(JobRejectedException.class);
        }
        FiberProcessBuilder refused =
                session.fiber().processBuilder(() -> {}).volumes(List.of(Volume.of("data", "/data")));
        assertThatThrownBy(refused::start)
                .isInstanceOf(ProcessStartException.class)
                .hasMessageContaining("needs VOLUMES (volumes=[data:/data]);")
                .hasCauseExactlyInstanceOf(JobRejectedException.class);
    }
}
