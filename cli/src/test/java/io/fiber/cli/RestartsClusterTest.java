// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@code fiber run --restarts}, attached, on the clusters that {@code dev/docker/up} and {@code dev/kubernetes/up} have
 * started. The program's journal is in a volume.
 */
@Tag("cluster")
class RestartsClusterTest extends CliFixture {

    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final int ITEMS = 60;
    private static final int SUM_OF_SQUARES = (ITEMS - 1) * ITEMS * (2 * ITEMS - 1) / 6;

    /** Ends the program from outside, on the platform. */
    private interface Outside {
        void end(String job) throws Exception;
    }

    @Test
    void containerThatIsKilledIsStartedAgainAndGoesOnWhereItWas() throws Exception {
        try (CopySite site = CopySite.of(CopySite.Kind.DOCKER, cli)) {
            String said = goesOn(site, container -> TestClusters.docker("kill", container));

            assertThat(said).contains("signalled (exit code 137)", "Restart 1 of 3 follows in 30 s");
        }
    }

    /**
     * An eviction sends SIGTERM, so the program stops in order. A busy node may lose track of the pod, and report no exit
     * code.
     */
    @Test
    void podWhoseNodeIsDrainedIsStartedAgainAndGoesOnWhereItWas() throws Exception {
        try (CopySite site = CopySite.of(CopySite.Kind.KUBERNETES, cli)) {
            String said = goesOn(site, RestartsClusterTest::drain);

            assertThat(said)
                    .containsAnyOf(
                            "exit code 75. Restart 1 of 3 follows at once.",
                            "preempted: the pod was deleted from outside");
        }
    }

    private static void drain(String pod) {
        String node = TestClusters.kubectl("get", "pod", pod, "-o", "jsonpath={.spec.nodeName}")
                .strip();
        String session = TestClusters.kubectl(
                        "get", "pod", pod, "-o", "jsonpath={.metadata.labels.io\\.fiber\\.session}")
                .strip();
        try {
            // Pods of other tests stay.
            String selector = "--pod-selector=io.fiber.session=" + session;
            assertThat(TestClusters.kubectl("drain", node, "--force", "--delete-emptydir-data", selector))
                    .contains("evict");
        } finally {
            TestClusters.kubectl("uncordon", node);
        }
    }

    /** Returns what the command says of a run that is ended once from outside. */
    private String goesOn(CopySite site, Outside outside) throws Exception {
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        Process process = site.cli()
                .builder(words(site))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(Files.readString(out))
                            .as(Files.readString(err))
                            .contains("square 16\n"));
            outside.end(group("job (\\S+) runs on", Files.readString(err)));

            assertThat(process.waitFor()).as(Files.readString(err)).isZero();
            String text = Files.readString(out);
            assertThat(text.lines().filter("starts"::equals)).hasSize(2);
            assertThat(text).contains("sum " + SUM_OF_SQUARES + " of ");
            assertThat(Integer.parseInt(group("of (\\d+) tasks", text))).isBetween(ITEMS, 2 * ITEMS - 1);
            return Files.readString(err);
        } finally {
            process.destroy();
            process.waitFor();
        }
    }

    private String[] words(CopySite site) throws Exception {
        List<String> words = new ArrayList<>(List.of("run"));
        words.addAll(site.options());
        words.addAll(List.of("--restarts", "3", "--volume", site.there() + "/data", "--", "java", "-cp"));
        words.add(ExampleJars.classPath(Files.createDirectory(directory.resolve("program")), "restarts"));
        words.addAll(List.of(JournaledSquares.class.getName(), "/data", Integer.toString(ITEMS), "300"));
        return words.toArray(String[]::new);
    }

    private static String group(String pattern, String text) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        assertThat(found.find()).as(pattern + " in " + text).isTrue();
        return found.group(1);
    }
}
