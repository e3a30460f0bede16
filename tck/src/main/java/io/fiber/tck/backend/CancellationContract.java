// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spec.Secret;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Submission;
import io.fiber.tck.clause.Clause;
import io.fiber.tck.clause.ClauseFailure;
import io.fiber.tck.host.Promptness;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** Clauses BKD-3xx: how jobs are ended. */
abstract class CancellationContract extends BackendContract {

    private static final Duration SHORT_GRACE = Duration.ofMillis(900);
    /** A busy machine may take longer than the grace until a program reports that it was asked to end. */
    private static final int TRIES = 3;

    private static final Duration LONGEST_GRACE = Duration.ofSeconds(Long.MAX_VALUE);
    private static final Duration LONG_GRACE = Duration.ofHours(1);
    private static final Duration AT_ONCE = Duration.ofSeconds(2);

    @Clause(
            id = "BKD-301",
            says = "cancelling without a grace period ends the job by force, and it is reported as CANCELLED",
            check = "that the end which follows a cancel is reported as CANCELLED, whatever exit code it has.")
    void cancelEndsJob() {
        ProbeJob job = start().running();
        job.tell("stubborn", "");
        job.job().cancel(Duration.ZERO);
        JobTermination end = job.ended("BKD-301");
        assertThat(end.state()).as("state of a cancelled job").isEqualTo(JobState.CANCELLED);
        job.gone("BKD-301");
    }

    @Clause(
            id = "BKD-302",
            says = "cancelling with a grace period, however long, first asks the program to end, which then ends"
                    + " by itself",
            check = "that the request (SIGTERM) reaches the program itself, not only a shell around it, and"
                    + " how a grace period without end is computed.")
    void cancelAsksFirst() {
        ProbeJob job = start().running();
        job.job().cancel(LONGEST_GRACE);
        JobTermination end = job.ended("BKD-302");
        assertThat(end.state()).as("state of a cancelled job").isEqualTo(JobState.CANCELLED);
        job.gone("BKD-302");
        assertThat(job.call().saw("asked-to-end"))
                .as("the program was asked to end")
                .isTrue();
    }

    @Clause(
            id = "BKD-303",
            says = "a program is asked to end, and is ended by force if it has not ended after the grace period",
            check = "that the backend or the platform enforces the grace period, and that less than a"
                    + " second is not rounded to zero.")
    void graceEnds() {
        boolean wasAsked = false;
        for (int i = 0; i < TRIES && !wasAsked; i++) {
            ProbeJob job = start().running();
            job.tell("stubborn", "");
            job.job().cancel(SHORT_GRACE);
            job.gone("BKD-303");
            assertThat(job.ended("BKD-303").state()).isEqualTo(JobState.CANCELLED);
            wasAsked = job.call().saw("asked-to-end");
        }
        assertThat(wasAsked)
                .as("one of %s programs with a grace of %s was asked to end", TRIES, SHORT_GRACE)
                .isTrue();
    }

    @Clause(
            id = "BKD-304",
            says = "ending a job by force also ends everything that it started",
            check = "process groups, cgroups or whatever the platform has to hold a job together.")
    void childrenEndToo() {
        ProbeJob job = start().running();
        String child = nextName();
        job.tell("spawn", child);
        ProbeJob childJob = new ProbeJob(this, job.job(), job.events(), child);
        ProbeCall childCall = childJob.call();
        assertThat(childCall.isGone()).as("the child is gone before its time").isFalse();
        job.job().cancel(Duration.ZERO);
        job.gone("BKD-301");
        childJob.gone("BKD-304");
    }

    @Clause(
            id = "BKD-305",
            says = "cancel returns at once, and a second call may shorten the grace period",
            check = "that cancel hands its work to another thread, and that the earliest deadline counts.")
    void secondCancelShortensGrace() {
        Promptness.check("time of cancel", AT_ONCE, () -> {
            ProbeJob job = start().running();
            job.tell("stubborn", "");
            Duration time = Promptness.timeOf(() -> job.job().cancel(LONG_GRACE));
            await(
                    "BKD-305",
                    fixture().endLimit(),
                    () -> job.call().saw("asked-to-end"),
                    () -> "the program was not asked.");
            job.job().cancel(Duration.ZERO);
            job.gone("BKD-305");
            job.ended("BKD-305");
            return time;
        });
    }

    @Clause(
            id = "BKD-306",
            says = "a second cancel never extends the grace period",
            check = "that a later deadline does not replace an earlier one.")
    void secondCancelNeverExtendsGrace() {
        ProbeJob job = start().running();
        job.tell("stubborn", "");
        job.job().cancel(SHORT_GRACE);
        job.job().cancel(LONG_GRACE);
        job.gone("BKD-306");
        job.ended("BKD-306");
    }

    @Clause(
            id = "BKD-307",
            says = "cancelling a job that has ended changes nothing",
            check = "that cancel looks at the state first, and never signals an id that may belong to"
                    + " another process by now.")
    void cancelAfterEndChangesNothing() {
        ProbeJob job = start().running();
        job.exit(0);
        assertThat(job.ended().state()).isEqualTo(JobState.SUCCEEDED);
        int events = job.events().story(job.job()).size();
        job.job().cancel(Duration.ZERO);
        job.job().cancel(LONG_GRACE);
        letOthersPass();
        assertThat(job.job().state()).as("state after a late cancel").isEqualTo(JobState.SUCCEEDED);
        assertThat(job.events().story(job.job()))
                .as("events after a late cancel")
                .hasSize(events);
    }

    @Clause(
            id = "BKD-308",
            says = "a job that is cancelled before it runs is CANCELLED and never runs",
            check = "the race of start and cancel: a start that was under way must be taken back.")
    void cancelBeforeStart() {
        String token = nextName();
        EventRecorder recorder = recorder();
        Job job = submitOne(probe(token).build(), recorder);
        job.cancel(Duration.ZERO);
        JobTermination end = new ProbeJob(this, job, recorder, token).ended("BKD-308");
        assertThat(end.state()).as("state").isEqualTo(JobState.CANCELLED);
        checkThatLogsCanBeRead(job);
        letOthersPass();
        await(
                "BKD-308",
                fixture().endLimit(),
                () -> !beacon().alive().contains(token),
                () -> "the program of the cancelled job runs.");
    }

    @Clause(
            id = "BKD-309",
            says = "cancelling one job of a submission does not affect the others",
            check = "that a job is named to the platform by its own id, not by that of the array or"
                    + " group, by a name that is the beginning of another's, or by a number that counts from another"
                    + " beginning.")
    void cancelLeavesOthersAlone() {
        String token = nextName();
        String name = nextName();
        EventRecorder recorder = recorder();
        Submission submission = new Submission(
                probe(token).build(),
                List.of(
                        new Submission.Instance(name, Secret.empty()),
                        new Submission.Instance(name + "0", Secret.empty())));
        List<Job> jobs = submit(backend(), submission, recorder);
        ProbeJob first = new ProbeJob(this, jobs.get(0), recorder, token).running();
        ProbeJob second = new ProbeJob(this, jobs.get(1), recorder, token).running();
        awaitCalls(jobs, recorder, token);
        assertThat(beacon().calls(token)).as("programs that called").hasSize(jobs.size());
        first.job().cancel(Duration.ZERO);
        await(
                "BKD-301",
                fixture().endLimit(),
                () -> recorder.termination(first.job()).isPresent()
                        || recorder.termination(second.job()).isPresent(),
                () -> "no end was reported for job '" + name + "', which was cancelled.");
        if (recorder.termination(second.job()).isPresent()) {
            throw new ClauseFailure(
                    "BKD-309",
                    "job '" + first.job().name() + "' with id '" + first.job().id() + "' was cancelled, and job '"
                            + second.job().name() + "' with id '" + second.job().id() + "' has ended: "
                            + recorder.describe(second.job()) + "; the story of the first is "
                            + recorder.describe(first.job()) + ".");
        }
        await(
                "BKD-301",
                fixture().endLimit(),
                () -> alive(token).size() < jobs.size(),
                () -> "the end of the cancelled job was reported, but no program has ended.");
        letOthersPass();
        assertThat(second.job().state()).as("state of the other job").isEqualTo(JobState.RUNNING);
        List<ProbeCall> alive = alive(token);
        assertThat(alive).as("programs that live on").hasSize(1);
        alive.get(0).tell("exit", "0");
        assertThat(second.ended().state()).as("end of the other job").isEqualTo(JobState.SUCCEEDED);
    }

    private List<ProbeCall> alive(String token) {
        return beacon().calls(token).stream().filter(call -> !call.isGone()).toList();
    }

    @Clause(
            id = "BKD-310",
            says = "ending a job by force also ends a child that has started a session of its own",
            check = "what holds a job together: a process group does not hold a child that called setsid.")
    void childrenWithSessionsEndToo() {
        ProbeJob job = start().running();
        String child = nextName();
        job.tell("spawn-in-session", child);
        String missing = job.call().fact("no-sessions");
        assume(missing.isEmpty(), "has no setsid where jobs run: " + missing);
        ProbeJob childJob = new ProbeJob(this, job.job(), job.events(), child);
        assertThat(childJob.call().isGone())
                .as("the child is gone before its time")
                .isFalse();
        job.job().cancel(Duration.ZERO);
        job.gone("BKD-301");
        childJob.gone("BKD-310");
    }

    @Clause(
            id = "BKD-312",
            says = "a job can be cancelled while one of its events is being reported",
            check = "that cancel does not wait for a lock that the thread that reports events holds, and"
                    + " that a job is RUNNING when Running is reported.")
    void cancelInsideAnEvent() {
        String token = nextName();
        EventRecorder recorder = new EventRecorder(fixture().capabilities(), event -> {
            if (event instanceof JobEvent.Running) {
                event.job().cancel(Duration.ZERO);
            }
        });
        watch(recorder);
        Job job = submitOne(probe(token).build(), recorder);
        JobTermination end = new ProbeJob(this, job, recorder, token).running().ended("BKD-312");
        assertThat(end.state()).as("state").isEqualTo(JobState.CANCELLED);
    }

    @Clause(
            id = "BKD-311",
            says = "a job that is cancelled while it waits for a slot never runs, even if one becomes free",
            check = "that a job is taken out of the platform's queue, and not only forgotten.")
    @Tag(Clause.DISTURBS)
    void cancelInTheQueue() {
        BackendFixture.Fullness full = assumePresent(fixture().fullness(), "fullness");
        String token = nextName();
        EventRecorder recorder = recorder();
        JobSpec spec = probe(token).build();
        full.begin();
        try {
            Job job = submitOne(spec, recorder);
            job.cancel(Duration.ZERO);
            JobTermination end = new ProbeJob(this, job, recorder, token).ended("BKD-311");
            assertThat(end.state()).as("state").isEqualTo(JobState.CANCELLED);
            checkThatLogsCanBeRead(job);
        } finally {
            full.end();
        }
        letOthersPass();
        assertThat(beacon().calls(token)).as("programs of the cancelled job").isEmpty();
    }
}
