// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static io.fiber.backend.docker.ScriptedDocker.framed;
import static io.fiber.backend.docker.ScriptedDocker.joined;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.backend.docker.ScriptedDocker.Answer;
import io.fiber.spi.backend.JobOutput;
import io.fiber.tck.host.LogLines;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobTextTest {

    private static final String LOGS = "GET /containers/c1/logs";
    private static final byte[] LINE = framed(1, "2026-11-22T02:00:01.000000001Z a\n");
    private static final byte[] COMPLAINT = framed(3, "Error grabbing logs: unexpected EOF\n");

    @TempDir
    Path directory;

    /** The pauses in seconds, each of which lasts until it is taken from here. */
    private final SynchronousQueue<Double> pauses = new SynchronousQueue<>();

    private JobText text(Engine engine) {
        return JobText.of(
                new JobText.Author(engine, "c1", "job-1"), new JobOutput.Files(directory), (ended, limitNs) -> {
                    while (ended.getCount() > 0) {
                        if (pauses.offer(limitNs / 1e9, 10, TimeUnit.MILLISECONDS)) {
                            return ended.getCount() == 0;
                        }
                    }
                    return true;
                });
    }

    /** Ends each of the next pauses, and returns them. */
    private List<Double> pauses(int count) throws InterruptedException {
        List<Double> lengths = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            lengths.add(requireNonNull(pauses.poll(30, TimeUnit.SECONDS), "It is not followed any more."));
        }
        return lengths;
    }

    @Test
    void logThatCannotBeReadIsReadAgainMoreAndMoreSeldomAndThatIsToldOnce() throws Exception {
        List<String> said;
        try (LogLines lines = LogLines.of("io.fiber", Level.INFO);
                ScriptedDocker docker = new ScriptedDocker().with(LOGS, Answer.of(200, joined(LINE, COMPLAINT)));
                Engine engine = docker.connect()) {
            JobText text = text(engine);
            text.follow();
            assertThat(pauses(7)).containsExactly(1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0);

            docker.with(LOGS, Answer.of(200, LINE));
            assertThat(pauses(2)).endsWith(0.5);
            text.finish();

            assertThat(Files.readAllLines(directory.resolve("job-1.log"))).containsExactly("a");
            assertThat(docker.count(LOGS)).isGreaterThan(8);
            said = lines.messages();
        }
        assertThat(said)
                .filteredOn(message -> message.contains("job-1"))
                .containsExactly("Output of the job 'job-1' may be lost, because its log at Docker cannot be read:"
                        + " Error grabbing logs: unexpected EOF");
    }

    /** The connection has broken, and Docker's log begins behind the place. */
    @Test
    void linesThatDockerNoLongerHasAreTold() throws Exception {
        List<String> said;
        try (LogLines lines = LogLines.of("io.fiber", Level.INFO);
                ScriptedDocker docker = new ScriptedDocker()
                        .with("POST /containers/c1/attach", Answer.of(200, framed(1, "first\n")))
                        .with(LOGS, Answer.of(200, LINE));
                Engine engine = docker.connect()) {
            JobText text = text(engine);
            text.attach();
            text.finish();

            assertThat(Files.readAllLines(directory.resolve("job-1.log"))).containsExactly("first", "a");
            said = lines.messages();
        }
        assertThat(said)
                .filteredOn(message -> message.contains("job-1"))
                .containsExactly("Lines of the job 'job-1' may be missing here, or come twice: the connection to Docker"
                        + " broke, and Docker's log no longer has the last lines that arrived; it keeps the last 32 MB"
                        + " of each log.");
    }
}
