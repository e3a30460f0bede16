// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Detached runs go on without the host that has started them, and are found from another: one of another home. */
@Tag("cluster")
class DetachedClusterTest {

    private static final Duration LIMIT = Duration.ofSeconds(90);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private Cli here = Cli.in(Path.of(""));
    private Cli elsewhere = Cli.in(Path.of(""));
    private String jar = "";

    /** A program that says that it runs, and that it was asked to end. */
    static final class Patient {
        private Patient() {}

        public static void main(String[] arguments) throws InterruptedException {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("asked to end")));
            System.out.println("has begun");
            if (arguments.length > 0) {
                System.err.println("ends itself");
                System.exit(Integer.parseInt(arguments[0]));
            }
            new CountDownLatch(1).await();
        }
    }

    @BeforeEach
    void twoHomes() throws Exception {
        here = Cli.in(Files.createDirectory(directory.resolve("here")));
        elsewhere = Cli.in(Files.createDirectory(directory.resolve("elsewhere")));
        jar = ProgramJars.write(directory.resolve("program.jar"), "patient", Patient.class)
                .toString();
    }

    @Test
    void dockerKeepsARunWhole() throws Throwable {
        List<String> options = List.of("--backend", "docker");
        here = TestClusters.besideDocker(here);
        elsewhere = TestClusters.besideDocker(elsewhere);
        TestClusters.alone("docker", () -> {
            String id = start(options, List.of("--image", "fiber-test:jre"));

            assertAnotherUserNeedsTheWholeId(options, id);
            assertIsFoundAndEndedFromElsewhere(options, id);
            assertThat(here.run("logs", id).out()).contains("has begun\n", "asked to end\n");
            assertIsCleaned(id, () -> left("docker", id));
        });
    }

    @Test
    void dockerKeepsTheEndOfARun() throws Throwable {
        List<String> options = List.of("--backend", "docker");
        here = TestClusters.besideDocker(here);
        elsewhere = TestClusters.besideDocker(elsewhere);

        TestClusters.alone("docker", () -> assertEndIsKept(options, List.of("--image", "fiber-test:jre")));
    }

    @Test
    void aDetachedContainerHasNoTimeLimit() throws Exception {
        here = TestClusters.besideDocker(here);

        Cli.Result refused =
                here.run("run --detach --backend docker -t 1 --image fiber-test:jre -- true".split(" ", -1));

        assertThat(refused.code()).isEqualTo(125);
        assertThat(refused.err())
                .contains("FBR-168 A detached container cannot have a time limit (60 s): Docker has no such"
                        + " limit, and the"
                        + " process that would enforce it ends before the container.");
    }

    @Test
    void kubernetesKeepsARunWhole() throws Exception {
        List<String> options = List.of("--backend", "kubernetes");
        here = TestClusters.besideKubernetes(here);
        elsewhere = TestClusters.besideKubernetes(elsewhere);
        String id = start(options, List.of("--image", "fiber-test:jre"));

        assertIsFoundAndEndedFromElsewhere(options, id);
        // With its pod the cluster forgets what it has printed.
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(here.run("logs", id).err())
                        .startsWith("fiber: FBR-570 The run " + id + " is no longer on 'kubernetes'"));
        // What the cluster has forgotten may be on another one that is meant now: it has ended when its user says so.
        here.run("kill", id);
        assertIsCleaned(id, () -> left("kubernetes", id));
    }

    @Test
    void kubernetesKeepsTheEndOfARun() throws Throwable {
        List<String> options = List.of("--backend", "kubernetes");
        here = TestClusters.besideKubernetes(here);
        elsewhere = TestClusters.besideKubernetes(elsewhere);

        TestClusters.alone("kubernetes", () -> assertEndIsKept(options, List.of("--image", "fiber-test:jre")));
    }

    @Test
    void slurmKeepsARunWhole() throws Exception {
        List<String> options = TestClusters.slurmBySsh();
        String id = start(options, List.of());

        assertIsFoundAndEndedFromElsewhere(options, id);
        assertThat(here.run("logs", id).out()).contains("has begun\n", "asked to end\n");
        assertIsCleaned(id, () -> TestClusters.squeue().contains(id) ? "there" : "");
    }

    @Test
    void slurmKeepsTheEndOfARun() throws Exception {
        assertEndIsKept(TestClusters.slurmBySsh(), List.of());
    }

    private String start(List<String> backend, List<String> more, String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of("run", "--detach"));
        words.addAll(backend);
        words.addAll(more);
        words.addAll(List.of("--", "java", "-cp", jar, Patient.class.getName()));
        words.addAll(List.of(arguments));
        Cli.Result started = here.run(words.toArray(String[]::new));
        assertThat(started.err()).isEmpty();
        String id = started.out().strip();
        await().atMost(LIMIT).until(() -> here.run("ps", "--json").out().contains("\"pid\":0"));
        return id;
    }

    private Cli.Result elsewhere(List<String> backend, String command, String... more) throws Exception {
        List<String> words = new ArrayList<>(List.of(command));
        words.addAll(backend);
        words.addAll(List.of(more));
        return elsewhere.run(words.toArray(String[]::new));
    }

    private void assertAnotherUserNeedsTheWholeId(List<String> backend, String id) throws Exception {
        Cli us = elsewhere;
        elsewhere = us.with("JAVA_TOOL_OPTIONS", "-Duser.name=anna");
        String begin = id.substring(0, 8);

        await().atMost(LIMIT).until(() -> elsewhere(backend, "logs", id).out().equals("has begun\n"));
        assertThat(elsewhere(backend, "ps").out()).doesNotContain(id);
        assertThat(elsewhere(backend, "kill", begin).err())
                .contains("FBR-534 No run of this user that '" + backend.get(1) + "' keeps has an id that begins with '"
                        + begin + "'. There are no runs. For a run of another user, write the whole id.");
        elsewhere = us;
    }

    private void assertIsFoundAndEndedFromElsewhere(List<String> backend, String id) throws Exception {
        await().atMost(LIMIT).until(() -> here.run("ps").out().contains("runs on "));
        assertThat(elsewhere.run("ps").out()).doesNotContain(id);
        assertThat(elsewhere.run("logs", id).err())
                .contains("FBR-534 No run of this user has an id that begins with '" + id
                        + "'. There are no runs. If another host has started the run, name the backend:"
                        + " --backend docker.");
        assertThat(elsewhere(backend, "ps").out().lines().filter(line -> line.startsWith(id)))
                .hasSize(1)
                .allMatch(line -> line.contains("runs on "));
        await().atMost(LIMIT)
                .until(() ->
                        elsewhere(backend, "logs", id.substring(0, 8)).out().equals("has begun\n"));

        Cli.Result killed = elsewhere(backend, "kill", id);

        assertThat(killed.err()).isEmpty();
        assertThat(killed.out()).startsWith(id + "  cancelled");
        assertThat(here.run("ps", "--json").out()).contains("\"over\":true");
    }

    private void assertIsCleaned(String id, Supplier<String> left) throws Exception {
        Cli.Result cleaned = here.run("clean", "--yes");

        assertThat(cleaned.out()).as(cleaned.err()).contains(id, "Removed 1 ended runs");
        await().atMost(LIMIT).until(() -> left.get().isBlank());
    }

    private void assertEndIsKept(List<String> backend, List<String> more) throws Exception {
        String id = start(backend, more, "7");
        await().atMost(LIMIT)
                .untilAsserted(() -> assertTold(elsewhere(backend, "ps", "--json"), "\"id\":\"" + id + "\""));
        await().atMost(LIMIT).untilAsserted(() -> assertTold(elsewhere(backend, "logs", id), "ends itself"));
        Cli.Result followed = elsewhere(backend, "logs", "--follow", id);

        assertThat(followed.out()).contains("has begun\n", "ends itself\n", "asked to end\n");
        await().atMost(LIMIT)
                .untilAsserted(() -> assertTold(elsewhere(backend, "ps", "--json"), "\"exitCode\":7,\"over\":true"));
        assertThat(here.run("ps", "--json").out()).contains("\"exitCode\":7");
        assertThat(elsewhere(backend, "clean", "--yes").out()).contains(" leftovers from '" + backend.get(1) + "'");
        assertThat(elsewhere(backend, "ps").out()).doesNotContain(id);
    }

    private static void assertTold(Cli.Result result, String text) {
        assertThat(result.out()).as(result.err()).contains(text);
    }

    private static String left(String platform, String id) {
        return platform.equals("docker")
                ? TestClusters.docker("ps", "-aq", "--filter", "label=io.fiber.run=" + id)
                : TestClusters.kubectl("get", "pods", "-o", "name", "-l", "io.fiber.run=" + id, "--ignore-not-found");
    }
}
