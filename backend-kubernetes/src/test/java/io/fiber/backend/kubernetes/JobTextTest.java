// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.backend.kubernetes.ScriptedApiServer.Answer;
import io.fiber.backend.support.BackendThreads;
import io.fiber.spi.backend.JobOutput;
import io.fiber.tck.LogLines;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The rest of the log of a pod that has ended comes slowly. */
@Timeout(60)
class JobTextTest {

    private static final String LOG = "GET " + ScriptedApiServer.NAMESPACE + "/pods/p1/log";
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(400);
    private static final int PAUSE_MS = 100;

    @TempDir
    Path directory;

    private final List<String> said = new ArrayList<>();

    /** A log of so many lines, one in each tenth of a second; then it ends, or stays open until the test does. */
    private static Answer slow(int lines, CountDownLatch end) {
        return exchange -> {
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            try {
                for (int i = 0; i < lines; i++) {
                    out.write("2026-11-22T02:00:00.%09dZ line %d\n"
                            .formatted(i + 1, i)
                            .getBytes(StandardCharsets.UTF_8));
                    out.flush();
                    TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
                }
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }

    /** Returns what has come of a log when the pod's end is told. */
    private List<String> finished(Answer log, Duration silence, Duration all) throws IOException {
        try (ScriptedApiServer server = new ScriptedApiServer().with(LOG, log);
                Cluster cluster = server.connect(directory, "token: secret");
                BackendThreads threads = new BackendThreads("test", 1);
                LogLines lines = LogLines.of(JobText.class.getName(), Level.WARNING)) {
            JobText text = JobText.of(
                    cluster,
                    "p1",
                    "job-1",
                    new JobText.Reader(
                            new JobOutput.Files(directory),
                            threads,
                            new JobText.Patience(silence.toNanos(), all.toNanos())));
            text.finish();
            List<String> written = Files.readAllLines(directory.resolve("job-1.log"));
            text.close();
            said.addAll(lines.messages());
            return written;
        }
    }

    private static List<String> lines(int count) {
        return IntStream.range(0, count).mapToObj(i -> "line " + i).toList();
    }

    @Test
    void restOfALogIsWaitedForWhileItComes() throws IOException {
        assertThat(finished(slow(12, new CountDownLatch(0)), SHORT, LONG)).isEqualTo(lines(12));
        assertThat(said).isEmpty();
    }

    @Test
    void logThatFallsSilentIsGivenUpAndThatIsToldOnce() throws IOException {
        CountDownLatch end = new CountDownLatch(1);
        try {
            assertThat(finished(slow(3, end), SHORT, LONG)).isEqualTo(lines(3));
        } finally {
            end.countDown();
        }
        assertThat(said)
                .singleElement()
                .asString()
                .matches("The end of the output of the pod p1 may be missing: \\d+ ms after the pod had ended the API"
                        + " server had not sent all of its log, the last of it [4-9]\\d\\d ms before\\.");
    }

    @Test
    void logThatDoesNotEndIsGivenUp() throws IOException {
        CountDownLatch end = new CountDownLatch(1);
        try {
            assertThat(finished(slow(1_000, end), LONG, SHORT)).isNotEmpty().hasSizeLessThan(20);
        } finally {
            end.countDown();
        }
        assertThat(said).singleElement().asString().startsWith("The end of the output of the pod p1 may be missing: ");
    }
}
