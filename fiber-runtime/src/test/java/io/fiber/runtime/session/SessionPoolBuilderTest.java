// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.CallOptions;
import io.fiber.PoolBuilder;
import io.fiber.runtime.pool.PoolSettings;
import io.fiber.runtime.remotejobs.RemoteJobRequest;
import io.fiber.spec.Resources;
import io.fiber.spec.Volume;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class SessionPoolBuilderTest {

    private static final Volume DATA = Volume.of("data", "/data").readOnly();

    private static final class Made extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private final AtomicReference<PoolSettings> made = new AtomicReference<>();

    private PoolBuilder builder(int processes) {
        return new SessionPoolBuilder(
                processes,
                settings -> {
                    made.set(settings);
                    throw new Made();
                },
                settings -> Optional.of(settings.toString()));
    }

    private PoolSettings made() {
        return requireNonNull(made.get(), "no pool was made");
    }

    @Test
    void whatIsNotSaidHasADefault() {
        assertThatThrownBy(() -> builder(4).build()).isInstanceOf(Made.class);

        assertThat(made())
                .isEqualTo(new PoolSettings(
                        Optional.empty(),
                        4,
                        1,
                        Optional.empty(),
                        RemoteJobRequest.ofAnyWorker().build(),
                        Optional.empty(),
                        OptionalInt.empty(),
                        CallOptions.defaults(),
                        PoolSettings.Start.WITH_FIRST_TASK));
    }

    @Test
    void whatIsSaidSoFarIsPreviewedAndTheBuilderGoesOn() {
        PoolBuilder builder = builder(4).name("sweep");

        assertThat(builder.preview())
                .hasValueSatisfying(shown -> assertThat(shown).contains("sweep"));
        assertThatThrownBy(() -> builder.resources(Resources.cpus(2)).build()).isInstanceOf(Made.class);
        assertThat(made().job().resources()).isEqualTo(Resources.cpus(2));
    }

    @Test
    void whatIsSaidArrives() {
        assertThatThrownBy(() -> builder(64)
                        .name("sweep")
                        .resources(Resources.cpus(2).withMemory("4g"))
                        .environment(Map.of("OMP_NUM_THREADS", "2"))
                        .image("eclipse-temurin:21-jre")
                        .volumes(List.of(DATA))
                        .labels(Map.of("team", "one"))
                        .workingDirectory(Path.of("/work"))
                        .timeLimit(Duration.ofHours(2))
                        .backendOptions(Map.of("slurm.partition", "gpu"))
                        .initializer(() -> {})
                        .threadsPerWorker(16)
                        .maxTasksPerWorker(1_000)
                        .callOptions(CallOptions.defaults().chunkSize(8).maxReruns(0))
                        .start())
                .isInstanceOf(Made.class);

        assertThat(made().name()).contains("sweep");
        assertThat(made().job())
                .isEqualTo(RemoteJobRequest.ofAnyWorker()
                        .resources(Resources.cpus(2).withMemory("4g"))
                        .environment(Map.of("OMP_NUM_THREADS", "2"))
                        .image("eclipse-temurin:21-jre")
                        .volumes(List.of(DATA))
                        .labels(Map.of("team", "one"))
                        .workingDirectory(Path.of("/work"))
                        .timeLimit(Duration.ofHours(2))
                        .options(Map.of("slurm.partition", "gpu"))
                        .build());
        assertThat(made().initializer()).isPresent();
        assertThat(made().threadsPerWorker()).isEqualTo(16);
        assertThat(made().maxTasksPerWorker()).hasValue(1_000);
        assertThat(made().options().chunkSize()).hasValue(8);
        assertThat(made().options().maxReruns()).hasValue(0);
        assertThat(made().start()).isEqualTo(PoolSettings.Start.AT_ONCE);
    }

    @Test
    void valueThatIsRefusedIsNotKept() {
        PoolBuilder builder = builder(2).threadsPerWorker(3).adaptive(1, 4).maxTasksPerWorker(5);

        assertThatThrownBy(() -> builder.threadsPerWorker(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.adaptive(3, 4)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.maxTasksPerWorker(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(builder::build).isInstanceOf(Made.class);

        assertThat(made().threadsPerWorker()).isEqualTo(3);
        assertThat(made().adaptive())
                .hasValueSatisfying(range -> assertThat(range.min()).isOne());
        assertThat(made().maxTasksPerWorker()).hasValue(5);
    }

    @Test
    void builderIsATemplateForMorePools() {
        PoolBuilder builder = builder(1).maxTasksPerWorker(1).labels(Map.of("team", "a"));
        assertThatThrownBy(builder::start).isInstanceOf(Made.class);
        PoolSettings first = made();

        assertThatThrownBy(builder.maxTasksPerWorker(3)::build).isInstanceOf(Made.class);

        assertThat(first.maxTasksPerWorker()).hasValue(1);
        assertThat(first.start()).isEqualTo(PoolSettings.Start.AT_ONCE);
        assertThat(made().maxTasksPerWorker()).hasValue(3);
        assertThat(made().start()).isEqualTo(PoolSettings.Start.WITH_FIRST_TASK);
        assertThat(made().job()).isEqualTo(first.job());
    }

    @Test
    void valuesOutOfRangeAreRefusedWhereTheyAreGiven() {
        assertThatThrownBy(() -> builder(0))
                .hasMessage("FBR-305 workers is 0; expected at least 1, for example pool(4).");
        assertThatThrownBy(() -> CallOptions.defaults().chunkSize(0))
                .hasMessage("FBR-305 chunkSize is 0; expected at least 1. Leave it out to have Fiber choose it.");
        assertThatThrownBy(() -> builder(1).threadsPerWorker(0))
                .hasMessage("FBR-305 threadsPerWorker is 0; expected 1 to 1024."
                        + " Leave it out for one task at a time in each worker.");
        assertThatThrownBy(() -> builder(1).threadsPerWorker(1025))
                .hasMessageStartingWith("FBR-305 threadsPerWorker is 1025;");
        assertThatThrownBy(() -> CallOptions.defaults().maxReruns(-1))
                .hasMessage("FBR-305 maxReruns is -1; expected 0 or more. 0 means that no task runs twice.");
        assertThatThrownBy(() -> builder(1).maxTasksPerWorker(0))
                .hasMessage("FBR-305 maxTasksPerWorker is 0; expected at least 1. Leave it out for no limit.");
        assertThatThrownBy(() -> builder(1).name(" "))
                .hasMessage("FBR-305 name is ' '; expected one that is not blank. Leave it out, and Fiber chooses"
                        + " one.");
        assertThatThrownBy(() -> builder(1).adaptive(3, 2))
                .hasMessage(
                        "FBR-305 adaptive is from 3 to 2; expected a minimum of 0 or more, and a maximum of 1 or more"
                                + " that is not below it.");
        assertThatThrownBy(() -> builder(1).image(""))
                .hasMessage("FBR-305 image is ''; expected the name of an image, for example eclipse-temurin:21-jre.");
        assertThatThrownBy(() -> builder(1).timeLimit(Duration.ZERO))
                .hasMessage("FBR-305 timeLimit is PT0S; expected more than 0.");
        assertThatThrownBy(() -> builder(1).environment(Map.of("CONFIG", "x".repeat((128 << 10) - 7))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("FBR-305 The environment variable 'CONFIG' has 131072 bytes with its name; expected fewer"
                        + " than 131072, the limit of Linux. Pass the value as an argument, or put it into a file.");
        assertThatCode(() -> builder(1).environment(Map.of("CONFIG", "x".repeat((128 << 10) - 8))))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> CallOptions.defaults().chunkSize(-2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("FBR-305 chunkSize is -2;");
    }
}
