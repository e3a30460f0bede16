// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.config.ConfigSources;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class BackendSelectionTest extends DiscoveryFixture {

    private static final String HOW = "Choose one: FIBER_BACKEND=… or Fiber.builder().backend(\"…\").";

    @Test
    void noneOnTheClassPath() {
        assertThatFault(() -> select(providers(new FakeJar()), Map.of()))
                .withMessage("FBR-101 No backend on the class path. Add one of: fiber-backend-local ('local'),"
                        + " fiber-backend-docker ('docker'), fiber-backend-kubernetes ('kubernetes'),"
                        + " fiber-backend-slurm ('slurm'), fiber-backend-gridengine ('gridengine').");
    }

    @Test
    void misspelledNameOfAbsentBackendNamesItsArtifact() {
        assertThatFault(() ->
                        select(providers(twoOf("local", USABLE, "slurm", USABLE)), Map.of(ENVIRONMENT, "kuberntes")))
                .withMessage(
                        "FBR-102 Unknown backend 'kuberntes' (from environment variable FIBER_BACKEND). On the class"
                                + " path: [local, slurm]. Did you mean 'kubernetes'? It is in fiber-backend-kubernetes,"
                                + " which is not on the class path, or whose META-INF/services a shaded jar has lost.");
    }

    @Test
    void absentBackendNamesItsArtifact() {
        assertThatFault(() -> select(providers(twoOf("local", USABLE, "slurm", USABLE)), Map.of(ENVIRONMENT, "docker")))
                .withMessage("FBR-102 Unknown backend 'docker' (from environment variable FIBER_BACKEND). On the class"
                        + " path: [local, slurm]. It is in fiber-backend-docker, which is not on the class path,"
                        + " or whose META-INF/services a shaded jar has lost.");
    }

    @Test
    void misspelledNameOfPresentBackendIsSuggested() {
        assertThatFault(() -> select(providers(twoOf("local", USABLE, "slurm", USABLE)), Map.of(ENVIRONMENT, "Slurm")))
                .withMessage(
                        "FBR-102 Unknown backend 'Slurm' (from environment variable FIBER_BACKEND). On the class path:"
                                + " [local, slurm]. Did you mean 'slurm'?");
    }

    @Test
    void insideSeveralPlatformsIsAChoiceForTheUser() throws IOException {
        Providers providers = providers(
                twoOf("kubernetes", inside("KUBERNETES_SERVICE_HOST is set"), "slurm", inside("SLURM_JOB_ID=7")));

        assertThatFault(() -> select(providers, Map.of()))
                .withMessage(
                        "FBR-104 Running inside several platforms: kubernetes (KUBERNETES_SERVICE_HOST is set), slurm"
                                + " (SLURM_JOB_ID=7). " + HOW);
        assertThat(select(providers, Map.of(ENVIRONMENT, "slurm")).provider().name())
                .isEqualTo("slurm");
    }

    @Test
    void explicitChoiceThatCannotBeUsedIsAnErrorAndNothingElseIsTried() {
        assertThatFault(() -> select(
                        providers(twoOf("local", USABLE, "slurm", unusable("sbatch was not found on PATH=/usr/bin"))),
                        Map.of(ENVIRONMENT, "slurm")))
                .withMessage(
                        "FBR-105 Backend 'slurm' (from environment variable FIBER_BACKEND) cannot be used: sbatch was"
                                + " not found on"
                                + " PATH=/usr/bin. Nothing else was tried, because the choice was explicit.");
    }

    @Test
    void theOnlyBackendMustBeUsable() {
        assertThatFault(() -> select(
                        providers(new FakeJar()
                                .backend("A", "slurm", unusable("sbatch was not found on PATH=/usr/bin."))),
                        Map.of()))
                .withMessage(
                        "FBR-105 Backend 'slurm' (the only one on the class path) cannot be used: sbatch was not found"
                                + " on PATH=/usr/bin. Nothing else was tried, because there is no other.");
    }

    @Test
    void theDefaultMustBeUsable() {
        assertThatFault(() -> select(providers(twoOf("local", unusable("no java"), "slurm", USABLE)), Map.of()))
                .withMessage("FBR-105 Backend 'local' (the default, since this process runs inside no other's platform)"
                        + " cannot be used:"
                        + " no java. Nothing else was tried, because it is the default.");
    }

    @Test
    void whetherABackendIsUsableMayDependOnItsOptionsWhereverTheyWereSet() throws IOException {
        Providers providers = providers(new FakeJar()
                .backend(
                        "A",
                        "slurm",
                        "return e.property(\"fiber.slurm.host\").isPresent() ? new Probe.Usable(\"by ssh\")"
                                + " : new Probe.Unusable(\"no sbatch\");",
                        "public List<OptionKey> options()"
                                + " { return List.of(OptionKey.of(\"host\", OptionType.TEXT, \"none\","
                                + " \"A host.\")); }"));
        Files.writeString(directory.resolve(".fiberconfig"), "slurm.host = login\n");

        assertChosen(select(providers, Map.of()), "slurm", "the only one on the class path");
        Files.delete(directory.resolve(".fiberconfig"));
        assertChosen(select(providers, Map.of("FIBER_SLURM_HOST", "login")), "slurm", "the only one on the class path");
    }

    @Test
    void probeThatThrowsMakesItsBackendUnusable() throws IOException {
        assertThatFault(() -> select(
                        providers(new FakeJar().backend("A", "slurm", "throw new IllegalStateException(\"bug\");")),
                        Map.of()))
                .withMessage("FBR-105 Backend 'slurm' (the only one on the class path) cannot be used: its probe failed"
                        + " with java.lang.IllegalStateException: bug. Nothing else was tried, because there is no"
                        + " other.");
    }

    @Test
    void severalWithoutTheDefaultAreAChoiceForTheUser() {
        assertThatFault(() -> select(providers(twoOf("kubernetes", USABLE, "slurm", unusable("no sbatch"))), Map.of()))
                .withMessage(
                        "FBR-109 Several backends are on the class path, [kubernetes, slurm], and Fiber cannot choose"
                                + " between them: the setting 'backend' is not set, this process runs on none of their"
                                + " platforms, and the default 'local' is missing (it is in fiber-backend-local). "
                                + HOW);
    }

    @Test
    void circumstancesDecideInTheirOrder() throws IOException {
        Providers inside = providersOf(
                twoOf("local", USABLE, "slurm", inside("SLURM_JOB_ID=7")).write(directory.resolve("inside.jar")));
        Providers usable = providersOf(twoOf("local", USABLE, "slurm", USABLE).write(directory.resolve("usable.jar")));
        Providers only = providersOf(new FakeJar().backend("A", "slurm", USABLE).write(directory.resolve("only.jar")));

        assertChosen(select(inside, Map.of()), "slurm", "this process runs inside it: SLURM_JOB_ID=7");
        assertChosen(select(inside, Map.of(ENVIRONMENT, "local")), "local", "from environment variable FIBER_BACKEND");
        assertChosen(
                select(usable, Map.of()), "local", "the default, since this process runs inside no other's platform");
        assertChosen(select(only, Map.of()), "slurm", "the only one on the class path");
    }

    @Test
    void namesDecideInTheirOrder() throws IOException {
        Providers providers = providers(twoOf("local", USABLE, "slurm", USABLE).backend("C", "orbit", USABLE));
        Files.writeString(directory.resolve(".fiberconfig"), "backend = slurm\n");
        Map<String, String> orbit = Map.of("backend", "orbit");
        Map<String, String> local = Map.of("fiber.backend", "local");
        Map<String, String> variable = Map.of(ENVIRONMENT, "orbit");

        assertChosen(chosen(providers, orbit, local, Map.of()), "orbit", "from the program's code");
        assertChosen(chosen(providers, Map.of(), local, variable), "local", "from -Dfiber.backend");
        assertChosen(
                chosen(providers, Map.of(), Map.of(), variable), "orbit", "from environment variable FIBER_BACKEND");
        assertChosen(
                chosen(providers, Map.of(), Map.of(), Map.of()),
                "slurm",
                "from " + directory.resolve(".fiberconfig") + " line 1");
    }

    @Test
    void instanceFromCodeIsTakenWhateverTheClassPathHolds() throws IOException {
        BackendProvider instance = providers(new FakeJar().backend("A", "orbit", USABLE))
                .backends()
                .providers()
                .iterator()
                .next();
        Providers contradictory =
                providersOf(twoOf("slurm", USABLE, "slurm", USABLE).write(directory.resolve("twice.jar")));
        BackendSelection selection = new BackendSelection(contradictory.backends(), Environment.of(Map.of(), Map.of()));

        Selected<BackendProvider> selected = selection.given(instance);

        assertThat(selected.provider()).isSameAs(instance);
        assertThat(selected.reason()).isEqualTo("an instance from the program's code");
    }

    @Test
    void oneLineIsLoggedWithVersionReasonAndWhatElseWasPresent() throws IOException {
        Providers providers = providersOf(
                twoOf("local", USABLE, "slurm", USABLE).version("1.2.3").write(directory.resolve("v.jar")));

        assertThat(logged(providers, Map.of(ENVIRONMENT, "slurm")))
                .containsExactly(
                        "FINE Backend 'slurm' 1.2.3 (from environment variable FIBER_BACKEND). Also on the class"
                                + " path: [local].");
    }

    @Test
    void tasksOfAPlatformWhoseBackendIsMissingAreNoticed() throws IOException {
        Providers local = providers(new FakeJar().backend("A", "local", USABLE));

        assertThat(logged(local, Map.of("SLURM_NTASKS", "4")))
                .contains("WARNING This job has 4 tasks (SLURM_NTASKS), but backend 'local' starts no workers in"
                        + " them. To have workers there, add fiber-backend-slurm to the class path. If you want"
                        + " 'local', set FIBER_BACKEND=local.");
        assertThat(List.of(
                        logged(local, Map.of("SLURM_NTASKS", "1")),
                        logged(local, Map.of("SLURM_NTASKS", "4", ENVIRONMENT, "local"))))
                .allSatisfy(lines -> assertThat(lines).noneMatch(line -> line.startsWith("WARNING")));
    }

    @Test
    void tasksOfAPlatformWhoseBackendIsThereAreNotWarnedOf() throws IOException {
        Providers both = providers(twoOf("local", USABLE, "slurm", inside("SLURM_JOB_ID=7")));

        assertThat(logged(both, Map.of("SLURM_NTASKS", "4"))).noneMatch(line -> line.startsWith("WARNING"));
    }

    /** Returns what a selection logs, each line after its level. */
    private List<String> logged(Providers providers, Map<String, String> variables) {
        Logger logger = Logger.getLogger("io.fiber");
        List<String> lines = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                lines.add(line.getLevel() + " " + line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Level before = logger.getLevel();
        logger.setLevel(Level.ALL);
        logger.addHandler(handler);
        try {
            select(providers, variables);
        } finally {
            logger.removeHandler(handler);
            logger.setLevel(before);
        }
        return lines;
    }

    private static FakeJar twoOf(String first, String firstProbe, String second, String secondProbe) {
        return new FakeJar().backend("A", first, firstProbe).backend("B", second, secondProbe);
    }

    private Selected<BackendProvider> chosen(
            Providers providers, Map<String, String> code, Map<String, String> properties, Map<String, String> env) {
        FiberConfig config =
                FiberConfig.load(new ConfigSources(code, properties, env, directory), providers.keys(List.of()));
        return new BackendSelection(providers.backends(), Environment.of(env, properties)).select(config);
    }

    private static void assertChosen(Selected<BackendProvider> selected, String name, String reason) {
        assertThat(selected.provider().name()).isEqualTo(name);
        assertThat(selected.reason()).isEqualTo(reason);
    }
}
