// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.CallerHost;
import io.fiber.spi.Environment;
import io.fiber.spi.Options;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import io.fiber.spi.backend.TooManyJobsException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Restarts on a platform that does not always accept a job. */
@Tag("slow")
class RestartsOnAPlatformTest {

    private static final JobTermination IN_ORDER = JobTermination.exited(JobTermination.TRY_AGAIN);
    private static final JobTermination DONE = JobTermination.exited(0);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private final List<String> said = new ArrayList<>();
    private final List<Job> unshown = new ArrayList<>();

    /** A platform that answers each submission with the next of these: a termination, or an exception. */
    private static final class Scripted implements BackendProvider, Backend {

        private final Deque<Object> answers;
        private final List<String> names = new ArrayList<>();

        Scripted(Object... answers) {
            this.answers = new ArrayDeque<>(List.of(answers));
        }

        @Override
        public String name() {
            return "scripted";
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
            String name = submission.instances().get(0).name();
            names.add(name);
            Object answer = answers.remove();
            if (answer instanceof BackendException e) {
                throw e;
            }
            Job job = new Ended(name, (JobTermination) answer);
            listener.onEvent(new JobEvent.Ended(job, (JobTermination) answer));
            return List.of(job);
        }

        @Override
        public void close() {}
    }

    private record Ended(String name, JobTermination end) implements Job {

        @Override
        public String id() {
            return "id-of-" + name;
        }

        @Override
        public JobState state() {
            return end.state();
        }

        @Override
        public List<String> logs(int lines) {
            return List.of();
        }

        @Override
        public void cancel(Duration grace) {}
    }

    @Test
    void jobIsSubmittedUntilItsPlatformAcceptsIt() throws Exception {
        Scripted platform = new Scripted(
                IN_ORDER,
                new BackendUnavailableException("XYZ-1 the API is away"),
                new TooManyJobsException("XYZ-2 quota of 1 job"),
                DONE);

        Attached.Outcome outcome = run(platform, 1);

        assertThat(outcome.exitCode()).isZero();
        assertThat(platform.names).containsExactly("sweep", "sweep-1", "sweep-1", "sweep-1");
        assertThat(said)
                .containsExactly(
                        "job id-of-sweep has ended: exit code 75. Restart 1 of 1 follows at once.",
                        "the program cannot be started again yet. The next try follows in 5 s: XYZ-1 the API is away",
                        "the program cannot be started again yet. The next try follows in 10 s: XYZ-2 quota of 1 job");
        assertThat(unshown).extracting(Job::id).containsExactly("id-of-sweep", "id-of-sweep-1");
    }

    @Test
    void jobThatIsRejectedIsNotTriedAgain() throws Exception {
        Scripted platform = new Scripted(IN_ORDER, new JobRejectedException("XYZ-3 no such partition"));

        Attached.Outcome outcome = run(platform, 5);

        assertThat(outcome.exitCode()).isEqualTo(ExitCodes.NOT_RUN);
        assertThat(outcome.end().describe()).isEqualTo("start failed: XYZ-3 no such partition");
        assertThat(recorded().state().restarts()).isEqualTo(1);
    }

    private Attached.Outcome run(Scripted platform, int most) throws InterruptedException {
        RunRecord record = new RunRecord(new Runs(directory), said::add);
        record.begin(new Run(
                "k3f",
                "scripted",
                "s",
                "sweep",
                Run.Keeper.thisProcess(),
                Instant.EPOCH,
                Run.State.open("", "is being submitted"),
                Map.of()));
        JobSpec spec = JobSpec.builder(new Program.Command(List.of("sweep")))
                .output(new JobOutput.None())
                .build();
        try (BackendAccess access = BackendAccess.open(platform, Options.of(List.of()))) {
            Attached attached = new Attached(Duration.ZERO, record::note, unshown::add);
            return new Restarts(most, attached, record).run(access, new Attached.Named(spec, "sweep"));
        }
    }

    private Run recorded() {
        return new Runs(directory).read("k3f").orElseThrow();
    }
}
