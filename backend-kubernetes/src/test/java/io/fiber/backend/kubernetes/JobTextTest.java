// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.backend.kubernetes.ScriptedApiServer.Answer;
import io.fiber.backend.support.BackendThreads;
import io.fiber.spi.backend.JobOutput;
import io.fiber.tck.host.LogLines;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rest of the log of a pod that has ended comes slowly. */
@Tag("slow")
class JobTextTest {

    private static final String LOG = "GET " + ScriptedApiServer.NAMESPACE + "/pods/p1/log";
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(400);
    /** Longer than a process stands still on a busy machine. */
    private static final Duration SILENCE = Duration.ofSeconds(6);

    private static final int PAUSE_MS = 100;
    /** Twelve lines take longer than the silence that is allowed. */
    private static final int LONG_PAUSE_MS = 600;

    @TempDir
    Path directory;

    private final List<String> said = new ArrayList<>();

    /** A log of so many lines with a pause after each; then it ends, or stays open until the test does. */
    private static Answer slow(int lines, int pauseMs, CountDownLatch end) {
        return exchange -> {
            exchange.sendResponseHeaders(200, 0);
            OutputStream out = exchange.getResponseBody();
            try {
                for (int i = 0; i < lines; i++) {
                    out.write("2026-11-22T02:00:00.%09dZ line %d\n"
                            .formatted(i + 1, i)
                            .getBytes(StandardCharsets.UTF_8));
                    out.flush();
                    TimeUnit.MILLISECONDS.sleep(pauseMs);
                }
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }

    /**
     * Returns what has come of a log when the pod's end is told.
     *
     * @param followed how many lines have come before the pod ends; for 0 it is not followed until then
     */
    private List<String> finished(Answer log, int followed, Duration silence) throws IOException {
        try (ScriptedApiServer server = new ScriptedApiServer().with(LOG, log);
                Cluster cluster = server.connect(directory, "token: secret");
                BackendThreads threads = new BackendThreads("test", 1);
                LogLines lines = LogLines.of(JobText.class.getName(), Level.WARNING)) {
            JobText text =
                    JobText.of(cluster, "p1", "job-1", new JobText.Reader(new JobOutput.Files(directory), threads));
            if (followed > 0) {
                text.follow();
                await().atMost(LONG).until(() -> written().size() >= followed);
            }
            text.finish(silence.toNanos());
            List<String> written = written();
            text.close();
            said.addAll(lines.messages());
            return written;
        }
    }

    private List<String> written() throws IOException {
        Path file = directory.resolve("job-1.log");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    private static List<String> lines(int count) {
        return IntStream.range(0, count).mapToObj(i -> "line " + i).toList();
    }

    @Test
    void restOfALogIsWaitedForWhileItComes() throws IOException {
        assertThat(finished(slow(12, LONG_PAUSE_MS, new CountDownLatch(0)), 0, SILENCE))
                .isEqualTo(lines(12));
        assertThat(said).isEmpty();
    }

    @Test
    void logWhoseConnectionBreaksGoesOnWhereItWas() throws IOException {
        String time = "2026-11-22T02:00:00.000000001Z ";
        AtomicInteger asked = new AtomicInteger();
        Answer log = exchange -> {
            boolean isFirst = asked.incrementAndGet() == 1;
            String text = time + "line 0\n" + time + (isFirst ? "li" : "line 1\n" + time + "line 2\n");
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
        };
        assertThat(finished(log, 3, SILENCE)).isEqualTo(lines(3));
        assertThat(said).isEmpty();
    }

    /** Returns a log whose first connection stays open for a moment, and then ends with or without a failure. */
    private static Answer inTwoParts(String first, String second, int missingBytes) {
        AtomicInteger asked = new AtomicInteger();
        return exchange -> {
            boolean isFirst = asked.incrementAndGet() == 1;
            byte[] text = (isFirst ? first : second).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, text.length + (isFirst ? missingBytes : 0));
            exchange.getResponseBody().write(text);
            exchange.getResponseBody().flush();
            if (isFirst) {
                try {
                    TimeUnit.MILLISECONDS.sleep(LONG_PAUSE_MS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        };
    }

    @Test
    void connectionToAnOldFileOfALongLogIsFollowedByOneToTheNewest() throws IOException {
        String longLine = "x".repeat(600_000);
        String first = "2026-11-22T02:00:00.000000001Z " + longLine + "\n";

        List<String> written = finished(inTwoParts(first, "2026-11-22T02:00:01.000000001Z last\n", 0), 1, SILENCE);

        assertThat(String.join("", written)).isEqualTo(longLine + "last");
        assertThat(said).isEmpty();
    }

    @Test
    void restThatBreaksOffIsReadAgain() throws IOException {
        String first = "2026-11-22T02:00:00.000000001Z line 0\n";
        String all = first + "2026-11-22T02:00:00.000000002Z line 1\n";

        assertThat(finished(inTwoParts(first, all, 100), 1, SILENCE)).isEqualTo(lines(2));
        assertThat(said).isEmpty();
    }

    @Test
    void logThatFallsSilentIsGivenUpAndThatIsToldOnce() throws IOException {
        CountDownLatch end = new CountDownLatch(1);
        try {
            assertThat(finished(slow(3, PAUSE_MS, end), 3, SHORT)).isEqualTo(lines(3));
        } finally {
            end.countDown();
        }
        assertThat(said)
                .singleElement()
                .asString()
                .matches("The end of the output of the pod p1 may be missing: \\d+ ms after the end of the pod, the"
                        + " API server had not sent all of its log; the last part came (?:[4-9]\\d\\d|\\d{4,}) ms"
                        + " before that\\.");
    }
}
