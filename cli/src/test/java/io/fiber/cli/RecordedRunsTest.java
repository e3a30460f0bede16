// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.cli.run.Run;
import io.fiber.cli.run.Runs;
import io.fiber.spi.CallerHost;
import io.fiber.spi.Environment;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.DetachedJob;
import io.fiber.spi.backend.DetachedJobs;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Submission;
import java.io.File;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class RecordedRunsTest {

    private static final String ENDED = "e00000000001";
    private static final String GONE = "g00000000001";
    private static final String LOST = "l00000000001";
    private static final int RESTARTS = 2;

    @TempDir
    Path directory;

    /** A platform that has two runs: one has ended with 7, and it does not know of the other one. */
    public static final class Keeping implements BackendProvider, Backend, DetachedJobs {

        /** Creates the provider. */
        public Keeping() {}

        @Override
        public String name() {
            return "keeping";
        }

        @Override
        public Probe probe(Environment environment) {
            return new Probe.Usable("it says so");
        }

        @Override
        public Backend create(BackendContext context) {
            return this;
        }

        @Override
        public CallerHost callerHost() {
            return CallerHost.sameHost();
        }

        @Override
        public List<Job> submit(Submission submission, JobListener listener) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<DetachedJobs> detachedJobs() {
            return Optional.of(this);
        }

        @Override
        public boolean handOver() {
            return false;
        }

        @Override
        public List<DetachedJob> all() {
            return List.of(job(ENDED, JobTermination.exited(7)), job(LOST, JobTermination.lost("forgotten")));
        }

        private static DetachedJob job(String run, JobTermination end) {
            return new DetachedJob(
                    run,
                    Optional.empty(),
                    "s",
                    "17",
                    "program",
                    Instant.EPOCH,
                    RESTARTS,
                    end.describe(),
                    Optional.of(end));
        }

        @Override
        public void copyLog(DetachedJob job, Until until, OutputStream to) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void end(DetachedJob job, Ending ending) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }

    private static Run recorded(String id) {
        return new Run(
                id,
                "keeping",
                "s",
                "program",
                Run.Keeper.PLATFORM,
                Instant.EPOCH,
                Run.State.open("17", "runs on n1"),
                Map.of());
    }

    @Test
    void endIsNotedAndThatARunIsNotFoundOrLostIsOnlyShown() throws Exception {
        Runs runs = new Runs(directory.resolve("state/fiber/runs"));
        runs.write(recorded(ENDED));
        runs.write(recorded(GONE));
        runs.write(recorded(LOST));
        Path services = Files.createDirectories(directory.resolve("jar/META-INF/services"));
        Files.writeString(services.resolve(BackendProvider.class.getName()), Keeping.class.getName());
        Cli cli = Cli.in(directory).from(Cli.classPath() + File.pathSeparator + directory.resolve("jar"));

        Cli.Result shown = cli.run("ps");

        assertThat(shown.out().lines()).as(shown.err()).hasSize(4);
        assertThat(shown.out().lines())
                .anyMatch(line -> line.startsWith(ENDED) && line.contains("restart 2: exit code 7"))
                .anyMatch(line -> line.startsWith(GONE) && line.contains("gone: keeping no longer has it"))
                .anyMatch(line -> line.startsWith(LOST) && line.contains("unknown: forgotten"));
        assertThat(runs.read(ENDED).orElseThrow().state())
                .isEqualTo(new Run.State("17", "exit code 7", RESTARTS, OptionalInt.of(7)));
        assertThat(runs.read(GONE).orElseThrow()).isEqualTo(recorded(GONE));
        assertThat(runs.read(LOST).orElseThrow()).isEqualTo(recorded(LOST));

        Cli.Result cleaned = cli.run("clean", "--yes");
        assertThat(cleaned.out()).doesNotContain(GONE, LOST).contains("Removed 1 ended runs");
        assertThat(runs.read(ENDED)).isEmpty();
        for (String stays : List.of(GONE, LOST)) {
            assertThat(cleaned.err())
                    .contains("fiber: run " + stays
                            + " stays: 'keeping' does not know how it ended, or the current settings lead elsewhere."
                            + " If it has ended, 'fiber kill " + stays + "' notes that.");
            assertThat(runs.read(stays)).contains(recorded(stays));
        }

        assertThat(cli.run("kill", GONE).out()).isEqualTo(GONE + "  cancelled\n");
        assertThat(cli.run("kill", LOST).out()).isEqualTo(LOST + "  unknown: forgotten\n");
        assertThat(runs.read(LOST).orElseThrow().isOver()).isTrue();
        assertThat(cli.run("logs", GONE).err())
                .startsWith("fiber: FBR-570 The run " + GONE
                        + " is no longer on 'keeping', and its output is gone: 'fiber clean' or another user has removed it, or"
                        + " 'fiber kill' has ended it on a platform that forgets ended jobs. Fiber looked for it where the"
                        + " current settings lead.");
    }
}
