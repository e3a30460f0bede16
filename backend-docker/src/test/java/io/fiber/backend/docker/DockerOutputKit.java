// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.backend.support.LastLines;
import io.fiber.spec.Volume;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobSpec;
import io.fiber.tck.cluster.Gate;
import io.fiber.tck.host.LogLines;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What containers write arrives whole, whatever happens to the way. {@link DockerEngineTest} runs it beside a real engine. */
class DockerOutputKit {

    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final Map<String, String> KEPT = Map.of("keep-failed", "true");
    private static final int LINES = 60;
    private static final int PART_BYTES = 16 * 1024;
    private static final String LONG_LINE = "some more ".repeat((PART_BYTES + 1000) / 10) + "end";

    /** A long line in the middle, which Docker keeps in parts; each line also on the other stream. */
    private static final String WRITING = "i=0; while [ $i -lt " + LINES + " ]; do echo out $i; echo err $i >&2;"
            + " if [ $((i % 20)) = 7 ]; then echo '" + LONG_LINE + "'; fi; sleep 0.05; i=$((i + 1)); done; ";

    private static final String LATIN = "Gr\u00f6\u00dfe: 5 \u00b0C";
    private static final String WRITING_LATIN = "printf 'Gr\\366\\337e: 5 \\260C %s\\n'";

    private static final String TOLD = "/told";
    private static final String UNTIL_TOLD = "while [ ! -e " + TOLD + "/end ]; do sleep 0.05; done; ";
    private static final String END = "exit 3";

    @TempDir
    Path directory;

    @AfterEach
    void nothingIsLeft() {
        DockerFixture.assertNothingLeft();
    }

    private JobSpec.Builder program(String script) {
        return KitSession.command("sh", "-c", script).output(new JobOutput.Files(directory.resolve("logs")));
    }

    private Path log() {
        return directory.resolve("logs").resolve("job-0.log");
    }

    private void awaitLines(int count) {
        await().atMost(LIMIT)
                .until(() -> Files.exists(log())
                        && Files.readAllLines(log(), StandardCharsets.ISO_8859_1)
                                        .size()
                                >= count);
    }

    private static List<String> ofStream(List<String> lines, String stream) {
        return lines.stream()
                .filter(line -> line.startsWith("err") == stream.equals("err"))
                .toList();
    }

    private static List<String> written(String stream) {
        return IntStream.range(0, LINES)
                .boxed()
                .flatMap(i -> i % 20 == 7 && stream.equals("out")
                        ? Stream.of("out " + i, LONG_LINE)
                        : Stream.of(stream + " " + i))
                .toList();
    }

    /** What Docker itself has of a container that was kept; it is removed then. */
    private static List<String> keptByDocker(Job job) {
        try (Engine engine = DockerFixture.engine()) {
            List<String> lines = JobText.of(
                            new JobText.Author(engine, job.id(), job.name()),
                            new JobOutput.None(),
                            LogFollower.Pause.OF_THE_CLOCK)
                    .last(LastLines.MOST_LINES);
            engine.remove(job.id());
            return lines;
        }
    }

    /** What a container writes while its engine is gone may be lost by Docker; what Docker has is here. */
    private void assertAsDockerHasIt(Job job) throws IOException {
        List<String> here = Files.readAllLines(log());
        List<String> docker = keptByDocker(job);
        for (String stream : List.of("out", "err")) {
            assertThat(ofStream(here, stream)).isEqualTo(ofStream(docker, stream));
        }
    }

    /** More than Docker keeps, faster than its log can be read. */
    @Test
    void allLinesOfAProgramThatWritesFastArrive() throws IOException {
        int count = 300_000;
        String padding = "x".repeat(92);
        try (KitSession session = new KitSession(directory, Map.of())) {
            Job job = session.start(KitSession.command(
                            "sh", "-c", "seq 1000001 " + (1_000_000 + count) + " | sed 's/$/" + padding + "/'")
                    .output(new JobOutput.Files(directory.resolve("logs"))));

            assertThat(session.awaitEnd(job).describe()).isEqualTo("exit code 0");
        }
        List<String> lines = Files.readAllLines(log());
        assertThat(lines).hasSize(count);
        for (int i = 0; i < count; i++) {
            assertThat(lines.get(i)).isEqualTo((1_000_001 + i) + padding);
        }
    }

    /** Latin-1, as many programs write it; Docker's log does not have these bytes. */
    @Test
    void outputThatIsNotUtf8ArrivesOnceAsItWasWritten() throws IOException {
        try (LogLines said = LogLines.of("io.fiber", Level.INFO);
                KitSession session = new KitSession(directory, Map.of())) {
            Job job = session.start(program("for i in 1 2 3; do " + WRITING_LATIN + " $i; done; " + END));

            assertThat(session.awaitEnd(job).describe()).isEqualTo("exit code 3");
            assertThat(Files.readAllLines(log(), StandardCharsets.ISO_8859_1))
                    .containsExactly(LATIN + " 1", LATIN + " 2", LATIN + " 3");
            assertThat(said.messages()).noneMatch(message -> message.contains("job-0"));
        }
    }

    @Test
    void outputThatIsNotUtf8ArrivesOnceWhenTheConnectionBreaks() throws IOException {
        Path socket = directory.resolve("docker.sock");
        try (LogLines said = LogLines.of("io.fiber", Level.INFO);
                Gate gate = Gate.before(socket, DockerFixture.socket());
                KitSession session = new KitSession(directory, Map.of(), DockerFixture.reaching(socket))) {
            Job job = session.start(program("i=0; while [ $i -lt " + LINES + " ]; do " + WRITING_LATIN
                    + " $i; sleep 0.05; i=$((i + 1)); done; " + END));
            awaitLines(20);
            gate.shut();
            gate.open();

            assertThat(session.awaitEnd(job).describe()).isEqualTo("exit code 3");
            List<String> lines = Files.readAllLines(log(), StandardCharsets.ISO_8859_1);
            assertThat(lines.subList(0, 20))
                    .isEqualTo(IntStream.range(0, 20)
                            .mapToObj(i -> LATIN + " " + i)
                            .toList());
            assertThat(lines.stream().map(line -> line.replaceAll(".* ", "")).toList())
                    .isEqualTo(
                            IntStream.range(0, LINES).mapToObj(String::valueOf).toList());
            assertThat(said.messages()).noneMatch(message -> message.contains("job-0"));
        }
    }

    @Test
    void noLineIsLostOrComesTwiceWhenTheConnectionBreaks() throws IOException {
        Path socket = directory.resolve("docker.sock");
        try (Gate gate = Gate.before(socket, DockerFixture.socket());
                KitSession session = new KitSession(directory, KEPT, DockerFixture.reaching(socket))) {
            Job job = session.start(program(WRITING + END));
            for (int broken = 1; broken <= 3; broken++) {
                awaitLines(broken * 12);
                gate.shut();
                gate.open();
            }

            assertThat(session.awaitEnd(job).describe()).isEqualTo("exit code 3");
            assertThat(ofStream(Files.readAllLines(log()), "out")).isEqualTo(written("out"));
            assertThat(ofStream(Files.readAllLines(log()), "err")).isEqualTo(written("err"));
            assertAsDockerHasIt(job);
        }
    }

    /** Of a container that ends while an engine starts, Docker may forget the exit code: this one ends later. */
    @Test
    @Tag("soak")
    void noLineIsLostOrComesTwiceWhenTheEngineStops() throws IOException {
        Path told = Files.createDirectory(directory.resolve("told"));
        try (KitSession session = new KitSession(directory, KEPT)) {
            Job job = session.start(program(WRITING + UNTIL_TOLD + END)
                    .volumes(List.of(Volume.of(told.toString(), TOLD).readOnly())));
            awaitLines(20);
            new EngineOutage().close();
            awaitLines(50);
            new EngineOutage().close();
            Files.createFile(told.resolve("end"));

            assertThat(session.awaitEnd(job).describe()).isEqualTo("exit code 3");
            assertAsDockerHasIt(job);
        }
    }

    @Test
    @Tag("soak")
    void linesAndTheEndOfAJobThatEndsDuringAnOutageAreTold() throws IOException {
        try (KitSession session = new KitSession(directory, KEPT)) {
            Job job = session.start(program(WRITING + END));
            awaitLines(20);
            try (EngineOutage outage = new EngineOutage()) {
                await().pollDelay(Duration.ofSeconds(10)).atMost(LIMIT).until(() -> true);
                assertThat(outage).isNotNull();
            }

            assertThat(session.awaitEnd(job).describe()).isEqualTo("exit code 3");
            assertAsDockerHasIt(job);
        }
    }
}
