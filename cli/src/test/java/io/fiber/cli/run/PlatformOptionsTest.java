// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.FiberException;
import io.fiber.runtime.discovery.Providers;
import io.fiber.spec.Volume;
import io.fiber.spi.OptionKey;
import io.fiber.spi.Options;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Program;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class PlatformOptionsTest {

    private static BackendProvider backend(String name) {
        return Providers.discover(List.of(PlatformOptionsTest.class.getClassLoader())).backends().providers().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Options options(String backend, Options settings, String... words) {
        return CommandLine.populateCommand(new PlatformOptions(), words).over(settings, backend(backend));
    }

    private static Optional<Duration> timeLimit(String... words) {
        return CommandLine.populateCommand(new JobOptions(), words)
                .spec(new Imaged(new Program.Command(List.of("true")), Optional.empty()), Set.of(), Map.of())
                .timeLimit();
    }

    @Test
    void wordsOfSbatchSetTheOptionsOfTheBackendAndWinOverSettings() {
        OptionKey partition = backend("slurm").options().stream()
                .filter(key -> key.name().equals("partition"))
                .findFirst()
                .orElseThrow();
        Options settings = Options.of(List.of(new Options.Value(partition, "long", "a test")));

        Options options =
                options("slurm", settings, "-p short -A chem -q high -C avx --gres nvme:1 -N 2".split(" ", -1));

        assertThat(options.values())
                .extracting(Options.Value::toString)
                .containsExactly(
                        "account=chem (from --account)",
                        "constraint=avx (from --constraint)",
                        "gres=nvme:1 (from --gres)",
                        "nodes=2 (from --nodes)",
                        "partition=short (from --partition)",
                        "qos=high (from --qos)");
        assertThat(options("slurm", settings).text("partition")).contains("long");
    }

    @Test
    void numberOfNodesIsANumber() {
        assertThatThrownBy(() -> options("slurm", Options.none(), "-N", "two"))
                .isInstanceOf(FiberException.class)
                .hasMessage(
                        "FBR-530 An option of this command cannot be read: --nodes is 'two'; expected a whole number,"
                                + " for example 8.");
        assertThatThrownBy(() -> options("kubernetes", Options.none(), "-N", "2"))
                .hasMessageStartingWith(
                        "FBR-567 --nodes sets the option 'nodes' of a backend, but the backend 'kubernetes'"
                                + " does not have this option.");
    }

    @Test
    void wordsOfSbatchAreRefusedByABackendThatHasNoSuchOption() {
        assertThatThrownBy(() -> options("docker", Options.none(), "-p", "short"))
                .isInstanceOf(FiberException.class)
                .hasMessage("FBR-567 --partition sets the option 'partition' of a backend, but the backend 'docker'"
                        + " does not have this option. Leave it out, or choose another backend with --backend.");
    }

    @Test
    void serviceAccountComesWithWhatItTakesToSubmit() {
        assertThat(options("kubernetes", Options.none(), "--service-account", "fiber")
                        .values())
                .extracting(Options.Value::toString)
                .containsExactly(
                        "jobs-submit=true (from --service-account)", "service-account=fiber (from --service-account)");
    }

    @Test
    void workersAreJobsOrShareTheProgramsOwn() {
        PlatformOptions local = CommandLine.populateCommand(new PlatformOptions(), "--workers", "local");

        assertThat(options("docker", Options.none(), "--workers", "docker").values())
                .extracting(Options.Value::toString)
                .containsExactly("jobs-submit=true (from --workers)");
        assertThat(local.over(Options.none(), backend("kubernetes")).values()).isEmpty();
        List<Volume> volumes = List.of(Volume.parse("a:/b"), Volume.parse("c:/d:ro"));
        assertThat(local.variables(volumes, Options.none())).isEqualTo(Map.of("FIBER_BACKEND", "local"));
        assertThat(new PlatformOptions()
                        .variables(volumes, options("kubernetes", Options.none(), "--service-account", "fiber")))
                .isEqualTo(Map.of("FIBER_VOLUMES", "a:/b,c:/d:ro"));
        assertThatThrownBy(() -> options("docker", Options.none(), "--workers", "kubernetes"))
                .hasMessage("FBR-530 An option of this command cannot be read: --workers is 'kubernetes'; expected"
                        + " 'docker', the backend of the program, or, without --service-account, 'local'.");
        assertThatThrownBy(
                        () -> options("kubernetes", Options.none(), "--workers", "local", "--service-account", "fiber"))
                .hasMessageContaining("--workers is 'local'; expected 'kubernetes'");
    }

    @Test
    void workersArePodsUnlessSomethingElseIsSaid() {
        BackendProvider pods = backend("kubernetes");
        Options off =
                Options.of(List.of(new Options.Value(PlatformOptions.key("jobs-submit", pods), "false", "a test")));
        PlatformOptions unsaid = new PlatformOptions();
        PlatformOptions local = CommandLine.populateCommand(new PlatformOptions(), "--workers", "local");

        Options spread = unsaid.spread(Options.none(), pods);

        assertThat(spread.values())
                .extracting(Options.Value::toString)
                .containsExactly("jobs-submit=true (from --workers)");
        assertThat(unsaid.choiceOfWorkers(spread, pods)).isEmpty();
        assertThat(unsaid.spread(off, pods)).isSameAs(off);
        assertThat(local.spread(Options.none(), pods).values()).isEmpty();
        assertThat(unsaid.spread(Options.none(), backend("slurm")).values()).isEmpty();
        assertThat(unsaid.spread(Options.none(), backend("docker")).values()).isEmpty();
        assertThat(unsaid.choiceOfWorkers(Options.none(), backend("docker")))
                .contains("workers that the program starts share its job; --workers docker makes them jobs of their"
                        + " own (--workers local keeps them there and hides this line)");
    }

    @ParameterizedTest
    @CsvSource({"90, PT1H30M", "1:30, PT1M30S", "2:00:00, PT2H", "1-2, PT26H", "1-2:3, PT26H3M", "1-2:3:4, PT26H3M4S"})
    void timeIsReadAsSbatchReadsIt(String text, Duration expected) {
        assertThat(timeLimit("-t", text)).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2h", "1:2:3:4", "", "1-"})
    void timeThatSbatchDoesNotReadIsRefused(String text) {
        assertThatThrownBy(() -> timeLimit("-t", text))
                .hasMessageStartingWith("FBR-530 An option of this command cannot be read: --time is '" + text
                        + "'; expected minutes, minutes:seconds, hours:minutes:seconds, days-hours");
    }

    @Test
    void timeIsGivenOnce() {
        assertThat(timeLimit("--time-limit", "2h")).contains(Duration.ofHours(2));
        assertThatThrownBy(() -> timeLimit("-t", "5", "--time-limit", "5m"))
                .hasMessage("FBR-530 An option of this command cannot be read: --time and --time-limit are the same;"
                        + " leave one out.");
    }
}
