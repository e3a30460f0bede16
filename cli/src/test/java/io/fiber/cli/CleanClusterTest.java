// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code fiber clean} on the clusters that {@code dev/docker/up} and {@code dev/kubernetes/up} have started. */
@Tag("cluster")
class CleanClusterTest extends CliFixture {

    private static final Duration LIMIT = Duration.ofMinutes(4);

    @Test
    void containersAndVolumesOfAKilledProgramAreRemovedAndThoseOfALiveOneStay() throws Throwable {
        Cli beside = TestClusters.besideDocker(cli);

        TestClusters.alone("docker", () -> {
            assertRemovesWhatIsLeft(beside, "docker", "1 container, 1 volume", selector -> {
                String filter = "label=" + selector;
                return TestClusters.docker("ps", "-aq", "--filter", filter)
                        + TestClusters.docker("volume", "ls", "-q", "--filter", filter);
            });
        });
    }

    @Test
    void podsAndSecretsOfAKilledProgramAreRemovedAndThoseOfALiveOneStay() throws Throwable {
        Cli beside = TestClusters.besideKubernetes(cli);

        TestClusters.alone("kubernetes", () -> {
            assertRemovesWhatIsLeft(
                    beside,
                    "kubernetes",
                    "1 pod, 1 secret",
                    selector -> TestClusters.kubectl(
                            "get", "pods,secrets", "-o", "name", "-l", selector, "--ignore-not-found"));
        });
    }

    /** A program that runs until it is ended. */
    static final class Sleeper {
        private Sleeper() {}

        public static void main(String[] arguments) throws InterruptedException {
            new CountDownLatch(1).await();
        }
    }

    private void assertRemovesWhatIsLeft(Cli beside, String backend, String things, UnaryOperator<String> left)
            throws Exception {
        String jar = ProgramJars.write(directory.resolve("program.jar"), "sleeper", Sleeper.class)
                .toString();
        List<String> run = List.of("run", "--backend", backend, "--image", "fiber-test:jre");
        List<String> program = List.of("--", "java", "-cp", jar, Sleeper.class.getName());
        beside.builder(Stream.concat(run.stream(), program.stream()).toArray(String[]::new))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        await().atMost(LIMIT).until(() -> beside.run("ps").out().contains("runs on"));

        String json = beside.run("ps", "--json").out();
        String session = json.replaceAll("(?s).*\"session\":\"([^\"]+).*", "$1");
        String selector = "io.fiber.session=" + session;

        assertThat(clean(beside, backend, "--yes")).doesNotContain(session);
        assertThat(left.apply(selector).lines()).hasSize(2);

        killWithItsReaper(Long.parseLong(json.replaceAll("(?s).*\"pid\":(\\d+).*", "$1")));

        assertThat(clean(beside, backend)).contains(session + "  " + things + "\n", "Nothing was removed");
        assertThat(left.apply(selector).lines()).hasSize(2);
        assertThat(clean(beside, backend, "--yes")).contains(session, " leftovers from '" + backend + "'");
        await().atMost(LIMIT).until(() -> left.apply(selector).isBlank());
    }

    private static String clean(Cli cli, String backend, String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of("clean", "--backend", backend));
        words.addAll(List.of(options));
        Cli.Result result = cli.run(words.toArray(String[]::new));
        assertThat(result.code()).as(result.err()).isZero();
        return result.out();
    }

    private static void killWithItsReaper(long pid) {
        ProcessHandle keeper = ProcessHandle.of(pid).orElseThrow();
        List<ProcessHandle> all =
                Stream.concat(keeper.descendants(), Stream.of(keeper)).toList();
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(each -> each.onExit().join());
    }
}
