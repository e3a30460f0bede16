// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.Secret;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SlurmJobTest {

    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final List<JobEvent> events = new ArrayList<>();
    private final SlurmJob job;

    SlurmJobTest(@TempDir Path directory) {
        SharedFolder.Part part =
                SharedFolder.create(new LocalFiles(), directory, "abcdefghij01").part(List.of(Secret.empty()));
        job = new SlurmJob(
                "train",
                new SlurmJob.Place(part, 0, "7"),
                events::add,
                FileText.behind(part.files(), part.output(0)),
                (cancelled, grace) -> {});
    }

    private static Optional<QueueRow> row(String state, String reason) {
        return Optional.of(new QueueRow("7_0", state, 0, reason, state.equals("PENDING") ? "" : "node1"));
    }

    @Test
    void answerThatIsOlderThanTheStartIsNoRequeue() {
        job.seen(row("PENDING", "None"), JobState.QUEUED, 0);
        job.begun("node1");
        assertThat(job.rule(SECOND_NS, true)).isEmpty();

        job.seen(row("PENDING", "None"), JobState.QUEUED, SECOND_NS);
        assertThat(job.rule(2 * SECOND_NS, true)).isEmpty();

        job.seen(row("PENDING", "BeginTime"), JobState.RUNNING, 3 * SECOND_NS);
        assertThat(job.rule(3 * SECOND_NS, true))
                .get()
                .extracting(JobTermination::cause)
                .isEqualTo(JobTermination.Cause.PREEMPTED);
    }

    @Test
    void reasonOfTheWaitIsToldWhenItChanges() {
        job.seen(row("PENDING", "None"), JobState.QUEUED, 0);
        job.seen(row("PENDING", "Resources"), JobState.QUEUED, 1);
        job.seen(row("PENDING", "Resources"), JobState.QUEUED, 2);
        job.seen(row("PENDING", "PartitionTimeLimit"), JobState.QUEUED, 3);

        assertThat(events)
                .extracting(event -> ((JobEvent.Waiting) event).reason())
                .containsExactly("Resources", "PartitionTimeLimit: it asks for more than its partition allows");
    }

    private static Optional<QueueRow> until(String endTime) {
        return QueueRow.parse("7_0|RUNNING|0|None|node1|" + endTime + "|");
    }

    /** With a grace time and without the site's leave to signal, this is all that Slurm says before SIGTERM. */
    @Test
    void jobWhoseEndComesEarlierThanSlurmSaidIsLeavingAndSaysSoOnce() {
        job.begun("node1");
        job.seen(until("2026-01-01T12:00:00"), JobState.RUNNING, 0);
        job.seen(until("2026-01-01T12:30:00"), JobState.RUNNING, 1);
        job.seen(until("N/A"), JobState.RUNNING, 2);
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
    void slurmsWordCountsWhenTheNodesOwnIsLate() {
        job.seen(row("RUNNING", "None"), JobState.QUEUED, 0);
        assertThat(job.state()).isEqualTo(JobState.QUEUED);

        job.seen(row("RUNNING", "None"), JobState.QUEUED, 11 * SECOND_NS);
        assertThat(job.state()).isEqualTo(JobState.RUNNING);
        job.begun("node1");
        assertThat(events).hasSize(1);
    }

    /** On a busy machine srun may take this long before it says that there is no room yet. */
    @Test
    void stepOfWhichSrunHasSaidNothingHasNotBegun() {
        job.seen(row("CONFIGURING", "None"), JobState.QUEUED, 0);
        job.seen(row("CONFIGURING", "None"), JobState.QUEUED, 60 * SECOND_NS);
        assertThat(job.state()).isEqualTo(JobState.QUEUED);

        job.seen(row("PENDING", QueueRow.STEPS_BUSY), JobState.QUEUED, 61 * SECOND_NS);
        assertThat(job.rule(61 * SECOND_NS, true)).isEmpty();

        job.begun("node1");
        job.seen(row("CONFIGURING", "None"), JobState.RUNNING, 62 * SECOND_NS);
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
    void jobThatSlurmForgotIsLostAfterThreeAnswers() {
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
}
