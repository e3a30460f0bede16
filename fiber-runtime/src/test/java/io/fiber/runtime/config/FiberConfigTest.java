// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fiber.ConfigurationException;
import io.fiber.spi.Environment;
import io.fiber.spi.OptionKey;
import io.fiber.spi.OptionType;
import io.fiber.spi.Options;
import io.fiber.spi.Probe;
import io.fiber.spi.Provider;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FiberConfigTest {

    private static final Map<String, String> NOTHING = Map.of();
    private static final Provider GRID = new GridProvider();
    private static final KnownKeys KEYS = KnownKeys.of(List.of(GRID), Set.of("my-grid", "orbit"));

    @TempDir
    Path directory;

    @Test
    void placesWinInTheirOrderAndEachValueKnowsItsOrigin() throws IOException {
        file("lease = 5s\nmax-reruns = 5\nimage = file\noutput = none\n");
        FiberConfig config = load(
                Map.of("lease", "2s"),
                Map.of("fiber.lease", "3s", "fiber.max-reruns", "3"),
                Map.of("FIBER_LEASE", "4s", "FIBER_MAX_RERUNS", "4", "FIBER_IMAGE", "environment"));

        assertThat(config.duration(ConfigKey.LEASE)).isEqualTo(Duration.ofSeconds(2));
        assertThat(config.setting(ConfigKey.LEASE)).contains(new Setting("2s", Origin.OF_CODE));
        assertThat(config.integer(ConfigKey.MAX_RERUNS)).isEqualTo(3);
        assertThat(config.setting(ConfigKey.MAX_RERUNS))
                .contains(new Setting("3", new Origin(Origin.Source.PROPERTY, "fiber.max-reruns")));
        assertThat(config.setting(ConfigKey.IMAGE))
                .contains(new Setting("environment", new Origin(Origin.Source.ENVIRONMENT, "FIBER_IMAGE")));
        assertThat(config.setting(ConfigKey.OUTPUT))
                .contains(new Setting(
                        "none", new Origin(Origin.Source.FILE, directory.resolve(".fiberconfig") + " line 4")));
        assertThat(config.isOn(ConfigKey.CDS)).isTrue();
        assertThat(config.setting(ConfigKey.CDS)).contains(new Setting("true", Origin.OF_DEFAULT));
        assertThat(config.text(ConfigKey.BACKEND)).isEmpty();
    }

    @Test
    void settingInCodeMayBeWrittenAsTheSystemPropertyIs() {
        assertThat(load(Map.of("fiber.lease", "2s"), NOTHING, NOTHING).setting(ConfigKey.LEASE))
                .contains(new Setting("2s", Origin.OF_CODE));
        assertThatFault(Map.of("fiber.leese", "3s"), NOTHING, NOTHING)
                .withMessage("FBR-120 Unknown setting 'fiber.leese' (from the program's code). Did you mean 'lease'?"
                        + " docs/configuration.md lists every setting.");
    }

    @Test
    void aSettingOfACommandLineHasItsOptionAsOrigin() {
        ConfigSources sources = new ConfigSources(Map.of("lease", "2s", "max-reruns", "5"), NOTHING, NOTHING, directory)
                .withOptions(Map.of("lease", "-s lease"));
        FiberConfig config = FiberConfig.load(sources, KEYS);

        assertThat(config)
                .asString()
                .contains("fiber.lease = 2s (from -s lease)\n", "fiber.max-reruns = 5 (from the program's code)\n");
    }

    @Test
    void originsReadWellAfterFrom() {
        assertThat(Origin.OF_CODE).hasToString("the program's code");
        assertThat(new Origin(Origin.Source.PROPERTY, "fiber.lease")).hasToString("-Dfiber.lease");
        assertThat(new Origin(Origin.Source.ENVIRONMENT, "FIBER_LEASE"))
                .hasToString("environment variable FIBER_LEASE");
        assertThat(new Origin(Origin.Source.FILE, "x line 4")).hasToString("x line 4");
        assertThat(Origin.OF_MASTER).hasToString("the master of this worker");
        assertThat(Origin.OF_DEFAULT).hasToString("the default");
    }

    @Test
    void everyDefaultIsAcceptedByItsOwnKey() {
        for (ConfigKey key : ConfigKey.values()) {
            key.defaultValue()
                    .ifPresent(value -> assertThat(key.form().accepts(value))
                            .describedAs(key.key())
                            .isTrue());
        }
    }

    @Test
    void emptyValueIsNoValue() {
        FiberConfig config =
                load(NOTHING, Map.of("fiber.backend", ""), Map.of("FIBER_LEASE", " ", "FIBER_NONSENSE", ""));

        assertThat(config.text(ConfigKey.BACKEND)).isEmpty();
        assertThat(config.setting(ConfigKey.LEASE)).contains(new Setting("20s", Origin.OF_DEFAULT));
    }

    @Test
    void misspelledPropertyIsAnErrorWithSuggestion() {
        assertThatFault(NOTHING, Map.of("fiber.leese", "3s"), NOTHING)
                .withMessage("FBR-120 Unknown setting 'fiber.leese' (from -Dfiber.leese). Did you mean 'fiber.lease'?"
                        + " docs/configuration.md lists every setting.");
    }

    @Test
    void misspelledVariableIsAnErrorWithSuggestion() {
        assertThatFault(NOTHING, NOTHING, Map.of("FIBER_WORKER_JAVVA", "/opt/java"))
                .withMessage(
                        "FBR-120 Unknown setting 'FIBER_WORKER_JAVVA' (from environment variable FIBER_WORKER_JAVVA)."
                                + " Did you mean 'FIBER_WORKER_JAVA'? docs/configuration.md lists every setting.");
    }

    @Test
    void variablesOfOtherProgramsAreIgnoredAndNamed() {
        FiberConfig config = load(
                NOTHING,
                NOTHING,
                Map.of(
                        "FIBER_HOME",
                        "/opt/fiber",
                        "FIBER_LIB",
                        "lib",
                        "FIBER_MY_GRID_HOME",
                        "/opt",
                        "FIBER_LEASE",
                        "4s"));

        assertThat(config.foreignVariables()).containsExactly("FIBER_HOME", "FIBER_LIB", "FIBER_MY_GRID_HOME");
        assertThat(config.duration(ConfigKey.LEASE)).isEqualTo(Duration.ofSeconds(4));
        assertThat(config).asString().doesNotContain("HOME", "LIB");
    }

    @Test
    void shortMisspelledVariableIsAnErrorWithSuggestion() {
        assertThatFault(NOTHING, NOTHING, Map.of("FIBER_LEESE", "4s", "FIBER_HOME", "/opt/fiber"))
                .withMessage(
                        "FBR-120 Unknown setting 'FIBER_LEESE' (from environment variable FIBER_LEESE). Did you mean"
                                + " 'FIBER_LEASE'? docs/configuration.md lists every setting.");
    }

    @Test
    void misspelledKeyInFileIsAnErrorWithItsLine() throws IOException {
        file("# mine\nlog-directry = logs\n");
        assertThatFault(NOTHING, NOTHING, NOTHING)
                .withMessage("FBR-120 Unknown setting 'log-directry' (from " + directory.resolve(".fiberconfig")
                        + " line 2). Did you mean 'log-directory'? docs/configuration.md lists every setting.");
    }

    @Test
    void keyLikeNoOtherGetsNoSuggestion() {
        assertThatFault(Map.of("zebra", "1"), NOTHING, NOTHING)
                .withMessage(
                        "FBR-120 Unknown setting 'zebra' (from the program's code). docs/configuration.md lists every"
                                + " setting.");
    }

    @Test
    void allFaultsAreToldAtOnce() {
        assertThatFault(NOTHING, Map.of("fiber.lease", "soon", "fiber.zebra", "1"), Map.of("FIBER_MAX_RERUNS", "-1"))
                .withMessage("""
                    FBR-121 Setting 'lease' is 'soon' (from -Dfiber.lease), which is not a duration above zero with a unit, for \
                    example 500ms, 20s or 2h.
                    FBR-120 Unknown setting 'fiber.zebra' (from -Dfiber.zebra). docs/configuration.md lists every setting.
                    FBR-121 Setting 'max-reruns' is '-1' (from environment variable FIBER_MAX_RERUNS), which is not a whole number \
                    from 0 to 1000000.\
                    """);
    }

    @ParameterizedTest
    @CsvSource({
        "lease,0s,false",
        "lease,1ms,true",
        "shutdown-grace,0s,true",
        "output,files,true",
        "output,file,false",
        "cds,yes,false",
        "cds,FALSE,true",
        "max-start-failures,0,false",
        "max-reruns,0,true",
        "max-reruns,1000001,false",
        "debug,true,true",
        "debug,suspend,true",
        "debug,on,false",
        "log-level,DEBUG,true",
        "log-level,verbose,false",
        "log-file,logs/%n.log,true",
        "log-file,%n/all.log,false",
        "log-file,all%%n.log,false",
        "log-file.limit,4k,true",
        "log-file.limit,4095,false",
        "worker.jvm-options,Xmx2g,false",
        "worker.jvm-options,-Xmx2g -Xms1g,false",
        "worker.jvm-options,@args,true",
        "volumes,data:/data:ro,true",
        "volumes,/data,false",
        "volumes,data:relative,false"
    })
    void valuesAreCheckedAgainstTheFormOfTheirKey(String key, String value, boolean isAccepted) {
        assertThat(KEYS.declared(key).orElseThrow().accepts(value)).isEqualTo(isAccepted);
    }

    @Test
    void jvmOptionsKeepTheirOwnCommas() {
        FiberConfig config = load(
                Map.of(
                        "worker.jvm-options",
                        "-Xmx2g, -Xlog:gc*,safepoint,,-agentlib:jdwp=transport=dt_socket,server=y"),
                NOTHING,
                NOTHING);

        assertThat(config.list(ConfigKey.WORKER_JVM_OPTIONS))
                .containsExactly("-Xmx2g", "-Xlog:gc*,safepoint", "-agentlib:jdwp=transport=dt_socket,server=y");
    }

    @Test
    void namedFileIsReadInsteadOfTheFoundOne() throws IOException {
        file("image = found\n");
        Files.writeString(directory.resolve("other"), "image = named\n");

        FiberConfig config = load(NOTHING, NOTHING, Map.of("FIBER_CONFIG", "other"));

        assertThat(config.text(ConfigKey.IMAGE).orElseThrow()).isEqualTo("named");
        assertThat(config.toMap()).containsExactly(Map.entry("fiber.image", "named"));
    }

    @Test
    void fileCannotNameAnotherFile() throws IOException {
        file("config = other\n");
        assertThatFault(NOTHING, NOTHING, NOTHING)
                .withMessage("FBR-122 " + directory.resolve(".fiberconfig")
                        + " line 1 sets 'config', which cannot be set in a file. Use"
                        + " FIBER_CONFIG or -Dfiber.config.");
    }

    @Test
    void reservedNamesAreNoSettings() {
        FiberConfig config = load(
                NOTHING,
                Map.of("fiber.test.heap", "-Xmx1g", "other.lease", "x"),
                Map.of(
                        "FIBER_BOOTSTRAP", "stdin",
                        "FIBER_TEST_X", "1",
                        "FIBER_WEB_SERVICE_HOST", "10.0.0.1",
                        "FIBER_WEB_SERVICE_PORT", "80",
                        "FIBER_WEB_PORT", "tcp://10.0.0.1:80",
                        "FIBER_WEB_PORT_80_TCP_ADDR", "10.0.0.1",
                        "FIBERS", "x"));

        assertThat(config.toMap()).isEmpty();
    }

    @Test
    void optionsOfProviderComeFromEveryPlace() throws IOException {
        file("my-grid.queue = long\n");
        FiberConfig config =
                load(NOTHING, Map.of("fiber.my-grid.time-limit", "2h"), Map.of("FIBER_MY_GRID_API_TOKEN", "s3cret"));

        Options options = config.optionsOf(GRID);
        assertThat(options.text("queue")).contains("long");
        assertThat(options.duration("time-limit")).contains(Duration.ofHours(2));
        assertThat(options.text("api-token")).contains("s3cret");
        assertThat(options.toString())
                .contains("api-token=*** (from environment variable FIBER_MY_GRID_API_TOKEN)")
                .contains("time-limit=2h (from -Dfiber.my-grid.time-limit)");
    }

    @Test
    void unknownOptionOfPresentProviderListsTheValidOnes() {
        assertThatFault(NOTHING, NOTHING, Map.of("FIBER_MY_GRID_QUEU", "long"))
                .withMessage(
                        "FBR-107 Unknown option 'my-grid.queu' (from environment variable FIBER_MY_GRID_QUEU). Did you"
                                + " mean 'my-grid.queue'? Valid options of 'my-grid': [api-token, queue, time-limit].");
    }

    @Test
    void sensitiveValueIsMaskedInItsError() {
        FiberConfig config = load(NOTHING, NOTHING, Map.of("FIBER_WORKER_JVM_OPTIONS", "-Dpassword=s3cret"));
        assertThat(config)
                .asString()
                .doesNotContain("s3cret")
                .contains("fiber.worker.jvm-options = *** (from environment variable FIBER_WORKER_JVM_OPTIONS)");

        assertThatFault(NOTHING, Map.of("fiber.worker.jvm-options", "s3cret"), NOTHING)
                .withMessage(
                        "FBR-121 Setting 'worker.jvm-options' is '***' (from -Dfiber.worker.jvm-options), which is not"
                                + " JVM options separated by commas, each beginning with - or @ and without spaces, for"
                                + " example -Xmx2g,-Da=b.");
    }

    @Test
    void badValueOfProviderOptionSaysWhatWasExpected() {
        assertThatFault(NOTHING, Map.of("fiber.my-grid.time-limit", "long"), NOTHING)
                .withMessage(
                        "FBR-121 Setting 'my-grid.time-limit' is 'long' (from -Dfiber.my-grid.time-limit), which is"
                                + " not a duration with a unit, for example 500ms, 20s or 2h.");
    }

    @Test
    void optionsOfKnownButAbsentProviderAreShownMaskedAndNotPassedOn() throws IOException {
        file("orbit.anything = 1\n");
        Map<String, String> properties = Map.of("fiber.worker.java", "/opt/java (from the default)/bin/java");
        FiberConfig config = load(NOTHING, properties, Map.of("FIBER_ORBIT_PASSWORD", "s3cret"));

        assertThat(config.describeSet())
                .contains(
                        "fiber.orbit.password = *** (from environment variable FIBER_ORBIT_PASSWORD)",
                        "fiber.worker.java = /opt/java (from the default)/bin/java (from -Dfiber.worker.java)")
                .allSatisfy(line -> assertThat(line).doesNotContain("s3cret"));
        assertThat(config.toString().lines()).containsAll(config.describeSet());
        assertThat(config.toMap()).doesNotContainKey("fiber.orbit.password");
    }

    @Test
    void workerHasTheValuesOfItsMasterAndNothingElse() {
        FiberConfig master = load(
                Map.of("lease", "7s"),
                Map.of("fiber.my-grid.queue", "long"),
                Map.of("FIBER_MY_GRID_API_TOKEN", "s3cret", "FIBER_MAX_RERUNS", "0"));

        Map<String, String> values = master.toMap();
        FiberConfig worker = FiberConfig.fromParent(values, KnownKeys.of(List.of(), Set.of()));

        assertThat(values)
                .containsOnly(
                        Map.entry("fiber.lease", "7s"),
                        Map.entry("fiber.my-grid.queue", "long"),
                        Map.entry("fiber.max-reruns", "0"));
        assertThat(worker.duration(ConfigKey.LEASE)).isEqualTo(Duration.ofSeconds(7));
        assertThat(worker.setting(ConfigKey.LEASE))
                .hasValueSatisfying(set -> assertThat(set.origin()).isEqualTo(Origin.OF_MASTER));
        assertThat(worker.toMap()).isEqualTo(values);
    }

    @Test
    void descriptionHasEveryKeyWithValueAndOrigin() {
        assertThat(load(NOTHING, NOTHING, Map.of("FIBER_BACKEND", "local")))
                .asString()
                .contains("fiber.backend = local (from environment variable FIBER_BACKEND)\n")
                .contains("fiber.lease = 20s (from the default)\n")
                .contains("fiber.worker.jvm-options = not set: none\n")
                .hasLineCount(ConfigKey.values().length);
    }

    @Test
    void placesOfThisProcessAreFilteredByPrefix() {
        ConfigSources sources = ConfigSources.system(Map.of());

        assertThat(sources.properties().keySet()).allMatch(name -> name.startsWith("fiber."));
        assertThat(sources.variables().keySet()).allMatch(name -> name.startsWith("FIBER_"));
        assertThat(sources.directory()).isEqualTo(Path.of(""));
    }

    private FiberConfig load(Map<String, String> code, Map<String, String> properties, Map<String, String> variables) {
        return FiberConfig.load(new ConfigSources(code, properties, variables, directory), KEYS);
    }

    @Test
    void jobsMayHaveOptionsOfTheirBackend() {
        FiberConfig config = load(NOTHING, NOTHING, NOTHING);

        assertThat(config.optionsOfJobs(
                        Map.of(
                                "my-grid.queue",
                                "gpu ",
                                "fiber.my-grid.time-limit",
                                "2h",
                                "orbit.height",
                                "3",
                                "my-grid.x",
                                ""),
                        "my-grid"))
                .isEqualTo(Map.of("queue", "gpu", "time-limit", "2h"));
        assertThat(config.optionsOfJobs(Map.of("my-grid.queue", "gpu"), "local"))
                .isEmpty();
    }

    @Test
    void wrongOptionsOfJobsAreRefused() {
        FiberConfig config = load(NOTHING, NOTHING, NOTHING);

        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> config.optionsOfJobs(
                        Map.of(
                                "lease",
                                "2s",
                                "my-grid.api-token",
                                "t",
                                "my-grid.quue",
                                "a",
                                "my-grid.time-limit",
                                "soon"),
                        "my-grid"))
                .withMessage(
                        "FBR-106 Setting 'lease' (from backendOptions) applies to the whole session: set it where the"
                                + " session is opened. A single job can have these options: [my-grid.queue,"
                                + " my-grid.time-limit].\n"
                                + "FBR-106 Setting 'my-grid.api-token' (from backendOptions) applies to the whole"
                                + " session: set it where the session is opened. A single job can have these options:"
                                + " [my-grid.queue,"
                                + " my-grid.time-limit].\n"
                                + "FBR-107 Unknown option 'my-grid.quue' (from backendOptions). Did you mean"
                                + " 'my-grid.queue'? Valid options of 'my-grid': [api-token, queue, time-limit].\n"
                                + "FBR-121 Setting 'my-grid.time-limit' is 'soon' (from backendOptions), which is not a"
                                + " duration with a unit, for example 500ms, 20s or 2h.");
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> config.optionsOfJobs(Map.of("lease", "2s"), "local"))
                .withMessageEndingWith("A single job can have no options of this backend.");
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> config.optionsOfJobs(Map.of("my-gird.queue", "gpu"), "my-grid"))
                .withMessageContaining("FBR-120 Unknown setting 'my-gird.queue' (from backendOptions)");
    }

    private ThrowableAssertAlternative<ConfigurationException> assertThatFault(
            Map<String, String> code, Map<String, String> properties, Map<String, String> variables) {
        return assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> load(code, properties, variables));
    }

    private void file(String text) throws IOException {
        Files.writeString(directory.resolve(".fiberconfig"), text);
    }

    private static final class GridProvider implements BackendProvider {
        @Override
        public String name() {
            return "my-grid";
        }

        @Override
        public List<OptionKey> options() {
            return List.of(
                    OptionKey.of("queue", OptionType.TEXT, "none", "The queue.").perJob(),
                    OptionKey.of("time-limit", OptionType.DURATION, "none", "The limit.")
                            .perJob(),
                    OptionKey.of("api-token", OptionType.TEXT, "none", "The token.")
                            .sensitive());
        }

        @Override
        public Probe probe(Environment environment) {
            return new Probe.Usable("always");
        }

        @Override
        public Backend create(BackendContext context) {
            throw new UnsupportedOperationException("This provider is only asked for its options.");
        }
    }
}
