// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spec.EndCause;
import io.fiber.spec.Secret;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BatchJobTest {

    private static final BatchName NAME = new BatchName("batch", "Batch", "KeepTime");

    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final List<JobEvent> events = new ArrayList<>();
    private final BatchJob job;
    private final Path output;

    BatchJobTest(@TempDir Path directory) {
        JobSpec spec = JobSpec.builder(new Program.Command(List.of("true"))).build();
        SharedFolder.Part part = SharedFolder.create(NAME, new LocalFiles(), directory, "abcdefghij01")
                .part(Submission.of(spec, "train", Secret.empty()));
        output = part.output(0);
        job = new BatchJob(
                "train",
                new BatchJob.Place(part, 0, "7_0"),
                events::add,
                FileText.behind(part.files(), output, new EndNotices("system: end"::equals)),
                (cancelled, grace) -> {});
    }

    private static Optional<BatchState> waiting(String reason) {
        return Optional.of(new BatchState.Waiting(reason));
    }

    private static Optional<BatchState> running() {
        return Optional.of(new BatchState.Running("node1"));
    }

    @Test
    void answerThatIsOlderThanTheStartIsNoRequeue() {
        job.seen(waiting(""), JobState.QUEUED, 0);
        job.begun("node1");
        assertThat(job.rule(SECOND_NS, true)).isEmpty();

        job.seen(waiting(""), JobState.QUEUED, SECOND_NS);
        assertThat(job.rule(2 * SECOND_NS, true)).isEmpty();

        for (int i = 3; i < 6; i++) {
            job.seen(waiting("BeginTime"), JobState.RUNNING, i * SECOND_NS);
            assertThat(job.rule(i * SECOND_NS, true)).isEmpty();
        }
        job.seen(waiting("BeginTime"), JobState.RUNNING, 6 * SECOND_NS);
        assertThat(job.rule(6 * SECOND_NS, true))
                .get()
                .extracting(JobTermination::cause)
                .isEqualTo(EndCause.PREEMPTED);
    }

    /** The system notes late that the job runs; between the two it was asked. */
    @Test
    void answerThatIsOnceBehindTheStartIsNoRequeue() {
        job.begun("node1");
        job.seen(waiting(""), JobState.RUNNING, 0);
        assertThat(job.rule(0, true)).isEmpty();
        assertThat(job.isHalfKnown()).isTrue();

        job.seen(running(), JobState.RUNNING, SECOND_NS);
        assertThat(job.rule(SECOND_NS, true)).isEmpty();
        assertThat(job.isHalfKnown()).isFalse();

        job.seen(waiting(""), JobState.RUNNING, 60 * SECOND_NS);
        assertThat(job.rule(60 * SECOND_NS, true)).isEmpty();
    }

    @Test
    void reasonOfTheWaitIsToldWhenItChanges() {
        job.seen(waiting(""), JobState.QUEUED, 0);
        job.seen(waiting("Resources"), JobState.QUEUED, 1);
        job.seen(waiting("Resources"), JobState.QUEUED, 2);
        job.seen(waiting("PartitionTimeLimit"), JobState.QUEUED, 3);

        assertThat(events)
                .extracting(event -> ((JobEvent.Waiting) event).reason())
                .containsExactly("Resources", "PartitionTimeLimit");
    }

    private static Optional<BatchState> until(String endTime) {
        return Optional.of(new BatchState.Running(
                "node1", Optional.of(endTime).filter(time -> !time.isEmpty()).map(LocalDateTime::parse)));
    }

    /** With a grace time and without the site's leave to signal, this is all that some systems say before SIGTERM. */
    @Test
    void jobWhoseEndComesEarlierThanTheSystemSaidIsLeavingAndSaysSoOnce() {
        job.begun("node1");
        job.seen(until("2026-01-01T12:00:00"), JobState.RUNNING, 0);
        job.seen(until("2026-01-01T12:30:00"), JobState.RUNNING, 1);
        job.seen(until(""), JobState.RUNNING, 2);
        job.seen(until("2026-01-01T12:30:00"), JobState.RUNNING, 3);
        assertThat(events).hasSize(1);

        job.seen(until("2026-01-01T11:00:30"), JobState.RUNNING, 4);
        job.seen(until("2026-01-01T11:00:20"), JobState.RUNNING, 5);
        job.leaving();

        assertThat(events).hasSize(2).last().isInstanceOf(JobEvent.Preempting.class);
    }

    @Test
    void jobThatHasNotBegunIsNotLeaving() {
        job.leaving();

        assertThat(events).isEmpty();
    }

    @Test
    void wordOfTheSystemCountsWhenTheNodesOwnIsLate() {
        job.seen(running(), JobState.QUEUED, 0);
        assertThat(job.state()).isEqualTo(JobState.QUEUED);

        job.seen(running(), JobState.QUEUED, 11 * SECOND_NS);
        assertThat(job.state()).isEqualTo(JobState.RUNNING);
        job.begun("node1");
        assertThat(events).hasSize(1);
    }

    /** On a busy machine the system may take this long before it says that there is no room yet. */
    @Test
    void jobOfWhichTheSystemSaysNothingHasNotBegun() {
        job.seen(Optional.of(new BatchState.Changing()), JobState.QUEUED, 0);
        job.seen(Optional.of(new BatchState.Changing()), JobState.QUEUED, 60 * SECOND_NS);
        assertThat(job.state()).isEqualTo(JobState.QUEUED);

        job.seen(waiting("StepsBusy"), JobState.QUEUED, 61 * SECOND_NS);
        assertThat(job.rule(61 * SECOND_NS, true)).isEmpty();

        job.begun("node1");
        job.seen(Optional.of(new BatchState.Changing()), JobState.RUNNING, 62 * SECOND_NS);
        assertThat(job.rule(62 * SECOND_NS, true)).isEmpty();
        assertThat(job.state()).isEqualTo(JobState.RUNNING);
    }

    @Test
    void jobThatWasNeverAskedAboutIsNotLost() {
        for (int i = 0; i < 10; i++) {
            assertThat(job.rule(i * SECOND_NS, false)).isEmpty();
        }
    }

    @Test
    void jobThatTheSystemForgotIsLostAfterThreeAnswers() {
        job.begun("node1");
        for (int i = 0; i < 3; i++) {
            job.seen(Optional.empty(), JobState.RUNNING, i * SECOND_NS);
            assertThat(job.rule(i * SECOND_NS, true)).isEmpty();
        }
        job.seen(Optional.empty(), JobState.RUNNING, 4 * SECOND_NS);

        assertThat(job.rule(4 * SECOND_NS, true))
                .get()
                .extracting(JobTermination::state)
                .isEqualTo(JobState.LOST);
    }

    private static Optional<BatchState> missing() {
        return Optional.of(new BatchState.Missing(Duration.ofSeconds(30)));
    }

    @Test
    void recordsOfAMissingJobAreAwaitedForAsLongAsTheyMayTake() {
        job.begun("node1");
        for (int i = 0; i < 30; i++) {
            job.seen(missing(), JobState.RUNNING, i * SECOND_NS);
            assertThat(job.rule(i * SECOND_NS, true)).as("after %d s", i).isEmpty();
        }
        job.seen(missing(), JobState.RUNNING, 30 * SECOND_NS);
        assertThat(job.rule(30 * SECOND_NS, true))
                .get()
                .extracting(JobTermination::state)
                .isEqualTo(JobState.LOST);
    }

    @Test
    void recordsOfAMissingJobSayHowItEnded() {
        job.begun("node1");
        job.seen(missing(), JobState.RUNNING, 0);
        assertThat(job.rule(0, true)).isEmpty();

        job.seen(
                Optional.of(BatchState.Ended.because(EndCause.TIME_LIMIT, "It ran too long.")),
                JobState.RUNNING,
                20 * SECOND_NS);
        assertThat(job.rule(20 * SECOND_NS, true))
                .contains(JobTermination.failed(EndCause.TIME_LIMIT, OptionalInt.empty(), "It ran too long."));
    }

    @Test
    void cancelledJobThatIsMissingTwiceHasEnded() {
        job.begun("node1");
        job.wishEnd(0, 0);
        job.seen(missing(), JobState.RUNNING, 1);
        assertThat(job.rule(1, true)).isEmpty();

        job.seen(missing(), JobState.RUNNING, 2);
        assertThat(job.rule(2, true)).contains(JobTermination.cancelled());
    }

    @Test
    void systemsLineAboutTheEndIsLeftOutOnceTheEndWasAskedFor() throws IOException {
        Files.writeString(output, "work\nsystem: end\n");
        assertThat(job.logs(5)).containsExactly("work", "system: end");

        job.wishEnd(0, SECOND_NS);
        assertThat(job.logs(5)).containsExactly("work");
    }
}
