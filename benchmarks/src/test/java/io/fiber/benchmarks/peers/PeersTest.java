// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code ./benchmark peers} does where no jar of a peer is there. */
@Tag("slow")
final class PeersTest {
    @TempDir
    Path directory;

    @BeforeAll
    static void aPython() {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(":")).anyMatch(each -> Files.exists(Path.of(each, "python3"))),
                "There is no python3.");
    }

    @Test
    void eachSystemHasALineForEachRoundAndARowAndABar() throws Exception {
        Path plot = directory.resolve("plot.svg");

        Outcome outcome =
                peers("--rounds=1", "--steps=separate", "--separate=20", "--systems=multiprocessing", "--plot=" + plot);

        assertThat(outcome.code).as(outcome.output).isZero();
        assertThat(outcome.output.lines())
                .filteredOn(line -> line.contains("whole_cpu_s"))
                .hasSize(2)
                .anySatisfy(line -> assertThat(line).contains("\"step\": \"separate\", \"system\": \"fiber\""))
                .anySatisfy(
                        line -> assertThat(line).contains("\"step\": \"separate\", \"system\": \"multiprocessing\""));
        assertThat(outcome.output)
                .containsPattern("\"system\": \"fiber\", \"beside\": \"multiprocessing\", \"ratio\": [0-9.]+,")
                .containsPattern("(?m)^\\|fiber(\\|[0-9.]+){3}\\|[0-9,]+\\|$")
                .containsPattern("(?m)^\\|multiprocessing(\\|[0-9.]+){3}\\|[0-9,]+\\|$");
        assertThat(plot)
                .content()
                .contains("prefers-color-scheme: dark", ">20 tasks that return", ">fiber<", ">multiprocessing<");
    }

    @Test
    void systemThatCannotBeHadIsRefused() throws Exception {
        Outcome outcome = peers("--systems=hazelcast");

        assertThat(outcome.code).isEqualTo(2);
        assertThat(outcome.output).contains("--systems has 'hazelcast'; expected some of fiber, multiprocessing");
    }

    private record Outcome(int code, String output) {}

    private Outcome peers(String... options) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("python3", "src/main/python/peers.py"));
        words.add("--java=" + System.getProperty("java.home") + "/bin/java");
        words.add("--class-path=" + System.getProperty("java.class.path"));
        words.add("--peers=" + directory);
        words.addAll(List.of(options));
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            return new Outcome(process.waitFor(), Files.readString(output));
        } finally {
            process.destroy();
        }
    }
}
