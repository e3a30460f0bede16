// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spec.Secret;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.Submission;
import io.fiber.tck.clause.Clause;
import io.fiber.tck.clause.ClauseFailure;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Clauses BKD-417 to BKD-419 and BKD-314: what platforms do besides running jobs and being unreachable. */
abstract class PlatformContract extends BackendContract {

    /** A submission that takes longer to reach the platform only makes the clause find less. */
    private static final long UNTIL_IT_WAITS_NS = 300_000_000;

    @Clause(
            id = "BKD-417",
            says = "a job that the platform suspends has not ended, and goes on when the platform lets it",
            check = "which of the platform's states are read as an end: held, suspended, stopped and unknown ones are"
                    + " none.")
    void suspensionIsNoEnd() {
        BackendFixture.Suspension suspension = assumePresent(fixture().suspension(), "suspension");
        ProbeJob job = start().running();
        suspension.begin(job.job());
        try {
            letOthersPass();
            letOthersPass();
            if (job.events().termination(job.job()).isPresent()) {
                throw new ClauseFailure(
                        "BKD-417",
                        "the platform has suspended job '" + job.job().name() + "', and its events are "
                                + job.events().describe(job.job()) + ".");
            }
        } finally {
            suspension.end(job.job());
        }
        job.tell("print", "still here");
        job.exit(0);
        assertThat(job.ended("BKD-417", "a job that was suspended goes on and has exited,")
                        .state())
                .as("end of a job that was suspended")
                .isEqualTo(JobState.SUCCEEDED);
    }

    @Clause(
            id = "BKD-418",
            says = "a submission whose answer is lost is not made twice: submit returns its jobs, or throws"
                    + " BackendUnavailableException and none of them runs on",
            check = "that the platform is asked by name what it has accepted before a request is repeated, or that"
                    + " jobs of a submission that failed find out that they are not wanted.")
    void lostAnswerStartsNothingTwice() {
        Runnable loss = assumePresent(fixture().answerLoss(), "answerLoss");
        String token = nextName();
        String name = nextName();
        Submission submission = Submission.of(probe(token).build(), name, Secret.empty());
        EventRecorder recorder = recorder();
        backend();
        loss.run();
        try {
            new ProbeJob(this, submit(backend(), submission, recorder).get(0), recorder, token).call();
        } catch (BackendUnavailableException e) {
            // As a session does.
            start(probe(token).build(), token).call();
        }
        letOthersPass();
        await(
                "BKD-418",
                fixture().endLimit(),
                () -> beacon().calls(token).stream()
                                .filter(call -> !call.isGone())
                                .count()
                        <= 1,
                () -> "the answer to a submission of job '" + name + "' was lost, and "
                        + beacon().calls(token).size() + " programs of it run; one was wanted.");
    }

    @Clause(
            id = "BKD-419",
            says =
                    "if the platform starts a running job again, Running is not reported again, and the job ends with its"
                            + " last program",
            check = "that a second start is not reported, and that the end of the first program either is not the end"
                    + " of the job, or makes the backend end the second.")
    void restartByThePlatformIsNotToldTwice() {
        var restarter = assumePresent(fixture().restarter(), "restarter");
        ProbeJob job = start().running();
        restarter.accept(job.job());
        await(
                "BKD-419",
                fixture().endLimit().plus(fixture().startLimit()),
                () -> beacon().calls(job.token()).size() > 1
                        || job.events().termination(job.job()).isPresent(),
                () -> "the platform has started job '" + job.job().name() + "' again, and its program did not call.");
        letOthersPass();
        if (job.events().termination(job.job()).isEmpty()) {
            beacon().calls(job.token()).get(1).tell("exit", "7");
            assertThat(job.ended("BKD-419", "the program that was started again has exited,")
                            .exitCode())
                    .as("exit code of the last program")
                    .hasValue(7);
        }
        await(
                "BKD-419",
                fixture().endLimit(),
                () -> beacon().calls(job.token()).stream().allMatch(ProbeCall::isGone),
                () -> "the end of job '" + job.job().name() + "' was reported, and a program of it runs, which the"
                        + " platform has started again.");
        long starts = job.events().story(job.job()).stream()
                .filter(JobEvent.Running.class::isInstance)
                .count();
        if (starts != 1) {
            throw new ClauseFailure(
                    "BKD-419",
                    "the platform has started job '" + job.job().name() + "' again, and its events are "
                            + job.events().describe(job.job()) + ".");
        }
    }

    @Clause(
            id = "BKD-314",
            says = "a job can be cancelled while the platform is slow to accept another",
            check = "that cancel needs no lock that submit holds while it waits for the platform.")
    void slowSubmissionBlocksNoCancel() throws Exception {
        BackendFixture.Slowness slowness = assumePresent(fixture().slowness(), "slowness");
        ProbeJob job = start().running();
        String token = nextName();
        Submission slow = Submission.of(probe(token).build(), nextName(), Secret.empty());
        EventRecorder recorder = recorder();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        CountDownLatch begun = new CountDownLatch(1);
        slowness.begin();
        try {
            Future<Job> submitted = threads.submit(() -> {
                begun.countDown();
                return submit(backend(), slow, recorder).get(0);
            });
            begun.await();
            LockSupport.parkNanos(UNTIL_IT_WAITS_NS);
            Future<?> cancelled = threads.submit(() -> job.job().cancel(Duration.ZERO));
            await(
                    "BKD-314",
                    fixture().endLimit(),
                    cancelled::isDone,
                    () -> "cancel of job '" + job.job().name() + "' has not returned within "
                            + fixture().endLimit() + ", while the platform was slow to accept another job.");
            assertThat(submitted.isDone())
                    .as("the slow submission was accepted before the cancel of another job returned")
                    .isFalse();
        } finally {
            slowness.end();
            threads.shutdown();
            threads.awaitTermination(
                    fixture().startLimit().plus(fixture().endLimit()).toMillis(), TimeUnit.MILLISECONDS);
        }
        assertThat(job.ended("BKD-314").state()).as("end of the cancelled job").isEqualTo(JobState.CANCELLED);
    }
}
