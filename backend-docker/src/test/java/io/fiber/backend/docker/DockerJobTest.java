// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static io.fiber.backend.docker.ScriptedDocker.framed;
import static io.fiber.backend.docker.ScriptedDocker.joined;
import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.backend.docker.ScriptedDocker.Answer;
import io.fiber.backend.support.BackendTasks;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A container ends, and its log is what it is. */
class DockerJobTest {

    private static final String ID = "0123456789abcdef";
    private static final String START = "POST /containers/" + ID + "/start";
    private static final String INSPECT = "GET /containers/" + ID + "/json";
    private static final String LOGS = "GET /containers/" + ID + "/logs";
    private static final String ENDED =
            "{\"Id\":\"" + ID + "\",\"State\":{\"Status\":\"exited\",\"Running\":false,\"ExitCode\":3}}";
    private static final byte[] COMPLAINT = framed(3, "Error grabbing logs: unexpected EOF\n");

    @TempDir
    Path directory;

    private ScriptedDocker docker;
    private Engine engine;
    private final AtOnce owner = new AtOnce();
    private final List<JobTermination> ends = new ArrayList<>();

    /** Does everything at once, and what is to be done later not at all. */
    private static final class AtOnce implements BackendTasks {
        private static final int MOST_QUESTIONS = 100;
        private int askedAgain;

        @Override
        public void later(Runnable action) {
            action.run();
        }

        @Override
        public Future<?> after(long delayNs, Runnable action) {
            return new CompletableFuture<>();
        }

        @Override
        public void ask(Runnable question) {
            question.run();
        }

        @Override
        public void askAgain(Runnable question) {
            askedAgain++;
            if (askedAgain < MOST_QUESTIONS) {
                question.run();
            }
        }
    }

    @BeforeEach
    void start() throws IOException {
        docker = new ScriptedDocker().with(START, Answer.of(204, "")).with(INSPECT, Answer.of(200, ENDED));
        engine = docker.connect();
    }

    @AfterEach
    void stop() {
        engine.close();
        docker.close();
    }

    private DockerJob started(JobOutput output) {
        JobSpec spec = JobSpec.builder(new Program.Command(List.of("tool")))
                .output(output)
                .build();
        ContainerPlan plan =
                new ContainerPlan(spec, DockerOptions.of(DockerFixture.options(Map.of())), Optional.empty());
        JobText text = JobText.of(new JobText.Author(engine, ID, "job-1"), output, LogFollower.Pause.OF_THE_CLOCK);
        DockerJob job = new DockerJob(
                "job-1",
                new DockerJob.Place(ID, "host", plan, text, engine, owner),
                event -> {
                    if (event instanceof JobEvent.Ended ended) {
                        ends.add(ended.termination());
                    }
                },
                ended -> {});
        job.start();
        return job;
    }

    private JobOutput.Files files() {
        return new JobOutput.Files(directory);
    }

    private List<String> written() throws IOException {
        Path file = directory.resolve("job-1.log");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    private static byte[] stamped(int number, String line) {
        return framed(1, "2026-11-22T02:00:0" + number + ".000000000Z " + line + "\n");
    }

    private static Stream<byte[]> damages() {
        return Stream.of(COMPLAINT, new byte[] {1, 0, 0, 0, 0x7f, 0, 0, 0}, new byte[] {9, 0, 0, 0, 0, 0, 0, 1, 7});
    }

    @ParameterizedTest
    @MethodSource("damages")
    void jobEndsWithTheLinesBeforeTheOneThatCannotBeRead(byte[] damage) {
        docker.with(LOGS, Answer.of(200, joined(framed(1, "a\n"), damage)));
        DockerJob job = started(new JobOutput.None());
        assertThat(job.logs(10)).containsExactly("a");

        job.look();

        assertThat(ends).containsExactly(JobTermination.exited(3));
        assertThat(job.logs(10)).containsExactly("a");
        assertThat(owner.askedAgain).isZero();
    }

    @ParameterizedTest
    @MethodSource("damages")
    void jobWhoseLogIsFollowedEndsTheSameWay(byte[] damage) throws IOException {
        docker.with(LOGS, Answer.of(200, joined(stamped(1, "a"), damage)));
        DockerJob job = started(files());

        job.look();

        assertThat(ends).containsExactly(JobTermination.exited(3));
        assertThat(written()).containsExactly("a");
        assertThat(job.logs(10)).containsExactly("a");
        assertThat(owner.askedAgain).isZero();
    }

    @Test
    void linesAfterWordsOfDockerStillCome() throws IOException {
        docker.with(LOGS, Answer.of(200, joined(stamped(1, "a"), COMPLAINT, stamped(2, "b"))));

        started(files()).look();

        assertThat(written()).containsExactly("a", "b");
    }

    @Test
    void programThatHasEndedIsNotRunAgainWhenTheAnswerToItsStartIsLost() {
        docker.with(START, exchange -> {}).with(LOGS, Answer.of(200, framed(1, "a\n")));

        started(new JobOutput.None()).look();

        assertThat(docker.count(START)).isOne();
        assertThat(owner.askedAgain).isOne();
        assertThat(ends).containsExactly(JobTermination.exited(3));
    }

    @Test
    void containerThatHasNotStartedIsStartedOnceMore() {
        docker.with(INSPECT, Answer.of(200, ENDED.replace("exited", "created")))
                .with(LOGS, Answer.of(200, ""))
                .with(START, exchange -> docker.with(START, Answer.of(204, "")));

        DockerJob job = started(new JobOutput.None());

        assertThat(docker.count(START)).isEqualTo(2);
        assertThat(job.state()).isEqualTo(JobState.RUNNING);
    }

    private Stream<JobOutput> outputs() {
        return Stream.of(new JobOutput.None(), files());
    }

    @Test
    void jobEndsThoughItsLogAlwaysBreaksOff() {
        docker.with(LOGS, Answer.brokenOff(stamped(1, "a")));
        outputs().forEach(output -> {
            ends.clear();

            started(output).look();

            assertThat(ends).containsExactly(JobTermination.exited(3));
        });
    }

    @Test
    void logThatBreaksOffOnceIsReadAgain() {
        Answer whole = Answer.of(200, framed(1, "a\n"));
        docker.with(LOGS, exchange -> {
            docker.with(LOGS, whole);
            Answer.brokenOff(framed(1, "a")).give(exchange);
        });
        DockerJob job = started(new JobOutput.None());

        job.look();

        assertThat(ends).containsExactly(JobTermination.exited(3));
        assertThat(job.logs(10)).containsExactly("a");
        assertThat(owner.askedAgain).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {404, 409, 500, 501})
    void logThatDockerRefusesIsLost(int status) {
        docker.with(LOGS, Answer.of(status, "{\"message\":\"no\"}"));
        outputs().forEach(output -> {
            ends.clear();

            started(output).look();

            assertThat(ends).containsExactly(JobTermination.exited(3));
        });
        assertThat(owner.askedAgain).isZero();
    }

    /** Docker is away just when the last lines are asked for. */
    @Test
    void containerThatIsGoneEndsItsJobThoughItsLogDoesNotCome() {
        docker.with(INSPECT, Answer.of(404, "{\"message\":\"No such container\"}"))
                .with(LOGS, Answer.brokenOff(new byte[0]));
        outputs().forEach(output -> {
            ends.clear();

            started(output).look();

            assertThat(ends).containsExactly(JobTermination.lost("the container was removed from outside"));
        });
    }
}
