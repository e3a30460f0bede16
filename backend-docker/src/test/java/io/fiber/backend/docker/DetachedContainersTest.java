// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static io.fiber.backend.docker.ScriptedDocker.framed;
import static io.fiber.backend.docker.ScriptedDocker.joined;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.LogConfig;
import io.fiber.backend.docker.ScriptedDocker.Answer;
import io.fiber.backend.support.SessionLabels;
import io.fiber.spec.Secret;
import io.fiber.spi.backend.DetachedJob;
import io.fiber.spi.backend.DetachedJobs;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import io.fiber.tck.host.LogLines;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is read of a log that Docker alone keeps. */
class DetachedContainersTest {

    private static final DetachedJob JOB = new DetachedJob(
            "k3f", Optional.empty(), "s1", "c1", "job-1", Instant.EPOCH, 0, "runs on host", Optional.empty());
    private static final String LOGS = "GET /containers/c1/logs";
    private static final String INSPECT = "GET /containers/c1/json";
    /** Almost the greatest entry; Docker's file has six bytes for each character. */
    private static final int ENTRY_BYTES = 16_000_000;

    private final String earlier = Instant.now().minusSeconds(3_600) + " ";
    private final String later = Instant.now().plusSeconds(3_600) + " ";

    @TempDir
    Path directory;

    private static Answer state(boolean isRunning) {
        return Answer.of(
                200,
                "{\"Id\": \"c1\", \"State\": {\"Status\": \"" + (isRunning ? "running" : "exited") + "\", \"Running\": "
                        + isRunning + ", \"ExitCode\": 0}}");
    }

    private static Answer large(String stamp, int entries) {
        byte[] entry = framed(1, stamp + "<".repeat(ENTRY_BYTES));
        return exchange -> {
            exchange.sendResponseHeaders(200, (long) entry.length * entries);
            for (int i = 0; i < entries; i++) {
                exchange.getResponseBody().write(entry);
            }
        };
    }

    private static List<String> warnings(Answer log, DetachedJobs.Until until, OutputStream to) throws IOException {
        try (ScriptedDocker docker = new ScriptedDocker().with(LOGS, log).with(INSPECT, state(false));
                Engine engine = docker.connect();
                LogLines said = LogLines.of(DetachedContainers.class.getName(), Level.WARNING)) {
            new DetachedContainers(engine, "host", () -> true).copyLog(JOB, until, to);
            return said.messages();
        }
    }

    @Test
    void logIsCopiedWithoutItsStamps() throws IOException {
        ByteArrayOutputStream copy = new ByteArrayOutputStream();
        byte[] log = joined(framed(1, earlier + "a b\n"), framed(2, earlier + "\n"), framed(1, later + "c"));

        assertThat(warnings(Answer.of(200, log), DetachedJobs.Until.NOW, copy)).isEmpty();
        assertThat(copy.toString(StandardCharsets.UTF_8)).isEqualTo("a b\n\nc");
    }

    @Test
    void logIsFollowedOverBreaksUntilTheRunHasEnded() throws IOException {
        byte[] one = framed(1, earlier + "one\n");
        byte[] two = framed(2, earlier + "two\n");
        byte[] three = framed(1, later + "three\n");
        byte[] four = framed(1, later + "four\n");
        List<Answer> parts = List.of(
                Answer.brokenOff(joined(one, two)),
                Answer.of(200, joined(one, two, three)),
                Answer.of(200, joined(three, four)));
        AtomicInteger reads = new AtomicInteger();
        ByteArrayOutputStream copy = new ByteArrayOutputStream();
        try (ScriptedDocker docker = new ScriptedDocker()
                        .with(INSPECT, exchange -> state(reads.get() < 2).give(exchange))
                        .with(
                                LOGS,
                                exchange -> parts.get(reads.getAndIncrement()).give(exchange));
                Engine engine = docker.connect()) {
            new DetachedContainers(engine, "host", () -> true).copyLog(JOB, DetachedJobs.Until.END, copy);
        }
        assertThat(copy.toString(StandardCharsets.UTF_8)).isEqualTo("one\ntwo\nthree\nfour\n");
        assertThat(reads).hasValue(3);
    }

    @ParameterizedTest
    @EnumSource
    void logThatMayLackItsBeginningIsToldOnce(DetachedJobs.Until until) throws IOException {
        assertThat(warnings(large(earlier, 6), until, OutputStream.nullOutputStream()))
                .containsExactly(
                        "The output of run k3f (job c1) may lack its beginning: Docker keeps the last 500 MB of it;"
                                + " earlier output is gone.");
    }

    @Test
    void logThatIsWholeOrGrowsWhileItIsReadIsNotTold() throws IOException {
        assertThat(warnings(large(earlier, 4), DetachedJobs.Until.NOW, OutputStream.nullOutputStream()))
                .isEmpty();
        assertThat(warnings(large(later, 6), DetachedJobs.Until.END, OutputStream.nullOutputStream()))
                .isEmpty();
    }

    private LogConfig logOf(JobSpec.Builder builder) {
        JobSpec spec = builder.build();
        Submission.Instance instance = new Submission.Instance("job-1", Secret.empty());
        Submission submission = new Submission(spec, List.of(instance));
        SessionLabels labels = new SessionLabels("s1", Map.of());
        ContainerPlan plan =
                new ContainerPlan(spec, DockerOptions.of(DockerFixture.options(Map.of())), Optional.empty());
        DaemonAddress nowhere = new DaemonAddress("unix://" + directory.resolve("none.sock"), "", "from a test");
        try (Engine engine = Engine.connect(nowhere)) {
            ClassPathVolume.Arrangement arrangement =
                    new ClassPathVolume(engine, labels, directory).arrange(submission);
            CreateContainerCmd create = engine.streams().createContainerCmd("image");
            return plan.describe(create, instance, labels, arrangement)
                    .getHostConfig()
                    .getLogConfig();
        }
    }

    @Test
    void logOfADetachedContainerMayBeLarger() {
        JobSpec.Builder command = JobSpec.builder(new Program.Command(List.of("tool")));

        assertThat(logOf(command).getConfig()).isEqualTo(Map.of("max-size", "16m", "max-file", "2"));
        assertThat(logOf(command.labels(Map.of(DetachedJobs.RUN, "k3f"))).getConfig())
                .isEqualTo(Map.of("max-size", "100m", "max-file", "5"));
    }
}
