// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static io.fiber.backend.local.LocalSession.shell;
import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.backend.support.LastLines;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobOutput;
import io.fiber.tck.fault.Signal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where output goes. Replaces the streams of this process. */
@Tag("slow")
class ConsoleTest {

    @TempDir
    Path directory;

    private final PrintStream out = System.out;
    private final PrintStream err = System.err;
    private final ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
    private LocalSession session;

    @BeforeEach
    void open() {
        session = new LocalSession(directory);
        System.setOut(new PrintStream(outBytes, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(errBytes, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void close() {
        System.setOut(out);
        System.setErr(err);
        session.close();
    }

    @Test
    void consoleCarriesBothStreamsAndKeepsTheLines() {
        Job job = session.start(
                shell("echo to out; echo to err >&2; printf 'no end'").output(new JobOutput.Console()));

        session.awaitEnd(job);

        assertThat(outBytes.toString(StandardCharsets.UTF_8)).isEqualTo("to out\nno end\n");
        assertThat(errBytes.toString(StandardCharsets.UTF_8)).isEqualTo("to err\n");
        assertThat(job.logs(10)).containsExactlyInAnyOrder("to out", "no end", "to err");
    }

    @Test
    void linesOfManyJobsStayWholeAndTheLastTwoHundredAreKept() {
        List<Job> jobs = session.start(
                shell("i=0; while [ $i -lt 500 ]; do echo line-$i-end; i=$((i+1)); done")
                        .output(new JobOutput.Console()),
                4);

        jobs.forEach(session::awaitEnd);

        assertThat(outBytes.toString(StandardCharsets.UTF_8).lines())
                .hasSize(2000)
                .allMatch(line -> line.startsWith("line-") && line.endsWith("-end"));
        assertThat(jobs)
                .allSatisfy(job -> assertThat(job.logs(1000))
                        .containsExactlyElementsOf(IntStream.range(300, 500)
                                .mapToObj(i -> "line-" + i + "-end")
                                .toList()));
    }

    @Test
    void keptLinesAreBoundedInBytesAndALineWithoutEndIsPassedOnInParts() {
        Job job = session.start(shell("head -c 1000000 /dev/zero | tr '\\0' x").output(new JobOutput.Console()));

        session.awaitEnd(job);

        assertThat(outBytes.size()).isEqualTo(1_000_001);
        assertThat(job.logs(1000).stream().mapToInt(String::length).sum()).isBetween(1, LastLines.MOST_BYTES);
    }

    @Test
    void outputStaysOnItsStreamWhenASurvivorHoldsThePipe() {
        Job job = session.start(shell("sleep 300 & echo last").output(new JobOutput.Console()));

        session.awaitEnd(job);

        assertThat(job.logs(1)).containsExactly("last");
    }

    /** What has left the group of its job is not killed with it; the job's last lines are waited for in vain. */
    @Test
    void pipesHeldFromOutsideDoNotKeepTheirJobsFromEnding() {
        Path pids = directory.resolve("pids");
        List<Job> jobs = session.start(
                shell("setsid sh -c 'echo $$ >> \"" + pids + "\"; exec sleep 300' & until grep -qx $! \"" + pids
                                + "\"; do sleep 0.05; done 2> /dev/null; echo last")
                        .output(new JobOutput.Console()),
                4);
        try {
            jobs.forEach(session::awaitEnd);

            assertThat(jobs).allSatisfy(job -> assertThat(job.logs(1)).containsExactly("last"));
            assertThat(LocalFiber.notes(pids)).hasSize(4).allMatch(pid -> Signal.isRunning(Long.parseLong(pid)));
        } finally {
            LocalFiber.notes(pids).forEach(pid -> Signal.KILL.offer(Long.parseLong(pid)));
        }
    }

    @Test
    void filesAreAppendedAndLogsBeginWithThisJob() throws IOException {
        Path logs = directory.resolve("deep/logs");
        for (String word : List.of("first", "second")) {
            Job job = session.start(shell("echo " + word + "; echo err >&2").output(new JobOutput.Files(logs)));
            session.awaitEnd(job);
            assertThat(job.logs(10)).containsExactly(word, "err");
        }

        assertThat(Files.readAllLines(logs.resolve("train.log"))).containsExactly("first", "err", "second", "err");
        assertThat(outBytes.size()).isZero();
    }

    @Test
    void outputThatGoesNowhereTakesNoDisk() {
        Job job = session.start(shell("echo to out; echo to err >&2; echo ready; sleep 300"));

        session.awaitLog(job, "ready");

        assertThat(job.logs(10)).containsExactly("to out", "to err", "ready");
        assertThat(session.directory()).isEmptyDirectory();
        assertThat(outBytes.size()).isZero();
    }

    @Test
    void outputThatGoesNowhereIsKeptInMemoryAfterTheEnd() throws IOException {
        Job job = session.start(shell("i=0; while [ $i -lt 500 ]; do echo $i; i=$((i+1)); done"));

        session.awaitEnd(job);

        assertThat(job.logs(1000)).hasSize(LastLines.MOST_LINES).endsWith("498", "499");
        assertThat(job.logs(2)).containsExactly("498", "499");
        assertThat(job.logs(0)).isEmpty();
        assertThat(session.directory()).isEmptyDirectory();
    }
}
