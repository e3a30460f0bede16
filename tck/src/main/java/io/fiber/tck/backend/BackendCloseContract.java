// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fiber.spec.Secret;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Submission;
import io.fiber.tck.clause.Clause;
import io.fiber.tck.clause.ClauseFailure;
import io.fiber.tck.host.FixtureDirectory;
import io.fiber.tck.host.OpenFiles;
import io.fiber.tck.host.Promptness;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assumptions;

/**
 * Clauses BKD-6xx: the end of a backend. BKD-601, BKD-605, BKD-606 and BKD-608 are also checked after every other test.
 */
abstract class BackendCloseContract extends BackendContract {

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);
    /** What a busy machine may add to that. */
    private static final Duration SLACK = Duration.ofSeconds(2);

    private static final int JOBS_OF_SECOND_JVM = 22;

    @Clause(
            id = "BKD-601",
            says = "close cancels every job that has not ended; none runs afterwards",
            check = "that close waits for the end, even of programs that ignore the request.")
    void closeEndsAllJobs() {
        closeWithinLimit(() -> {
            Backend closed = open().backend();
            ProbeJob plain = start(closed);
            plain.call();
            ProbeJob stubborn = start(closed);
            stubborn.tell("stubborn", "");
            Duration time = Promptness.timeOf(closed::close);
            plain.gone("BKD-601");
            stubborn.gone("BKD-601");
            assertThat(plain.ended().state()).as("state after close").isEqualTo(JobState.CANCELLED);
            return time;
        });
    }

    /** Checks the time that closing a backend takes, with a new backend for each attempt. */
    private static void closeWithinLimit(Supplier<Duration> tried) {
        Duration limit = CLOSE_LIMIT.plus(SLACK);
        Duration time = Promptness.best(limit, tried);
        if (time.compareTo(limit) >= 0) {
            throw new ClauseFailure("BKD-607", "close took " + time + "; the contract allows " + CLOSE_LIMIT + ".");
        }
    }

    @Clause(
            id = "BKD-602",
            says = "closing twice, or without a job, does nothing",
            check = "that close remembers that it was called.")
    void closeTwiceDoesNothing() {
        Backend unused = open().backend();
        unused.close();
        unused.close();
        ProbeJob job = start(open().backend());
        job.exit(0);
        job.ended();
        backend().close();
        backend().close();
    }

    private ProbeJob start(Backend backend) {
        String token = nextName();
        return start(backend, probe(token).build(), token, Secret.empty());
    }

    @Clause(
            id = "BKD-603",
            says = "submit after close throws IllegalStateException or BackendException and starts nothing",
            check = "that submit looks at the state first, in the same lock as close.")
    void submitAfterCloseIsRefused() {
        String token = nextName();
        Submission submission = Submission.of(probe(token).build(), nextName(), Secret.empty());
        backend().close();
        Throwable thrown = catchThrowable(() -> backend().submit(submission, recorder()));
        assertThat(thrown)
                .as("what submit throws after close")
                .isInstanceOfAny(IllegalStateException.class, BackendException.class);
        Backend other = open().backend();
        String sentinel = nextName();
        ProbeJob job = start(other, probe(sentinel).build(), sentinel, Secret.empty());
        job.call();
        assertThat(beacon().calls(token))
                .as("programs of the refused submission")
                .isEmpty();
    }

    @Clause(
            id = "BKD-604",
            says = "closing one backend does not affect the jobs of another session",
            check = "that jobs are found by the session's id, not by the user's name or a common label.")
    void closeLeavesOtherSessionsAlone() {
        ProbeJob job = start();
        Backend other = open().backend();
        ProbeJob otherJob = start(other);
        otherJob.call();
        other.close();
        otherJob.gone("BKD-601");
        letOthersPass();
        assertThat(job.call().isGone())
                .as("the program of the other session is gone")
                .isFalse();
        job.tell("print", "still here");
        job.exit(0);
        assertThat(job.ended().state()).as("end of the other session's job").isEqualTo(JobState.SUCCEEDED);
    }

    @Clause(
            id = "BKD-605",
            says = "close leaves no thread",
            check = "that every thread the backend started is told to end and waited for.")
    void closeLeavesNoThread() {
        ProbeJob job = start();
        job.exit(0);
        job.ended();
        backend().close();
    }

    @Clause(
            id = "BKD-606",
            says = "close leaves no file in the session's directory",
            check = "that bootstrap files, scripts and logs are deleted, including those of cancelled jobs.")
    void closeLeavesNoFile() {
        String token = nextName();
        ProbeJob job = start(backend(), probe(token).build(), token, Secret.of(new byte[] {1, 2, 3}));
        job.call();
        backend().close();
        assertThat(FixtureDirectory.contentOf(context().directory()))
                .as("files in the session's directory after close")
                .isEmpty();
    }

    @Clause(
            id = "BKD-607",
            says = "close returns within 10 seconds, even if the platform does not answer",
            check = "the time limits of the requests that close makes.")
    void closeIsBounded() {
        BackendFixture.Outage outage = assumePresent(fixture().outage(), "outage");
        closeWithinLimit(() -> {
            Backend closed = open().backend();
            start(closed).call();
            outage.begin();
            try {
                return Promptness.timeOf(closed::close);
            } finally {
                outage.end();
            }
        });
    }

    @Clause(
            id = "BKD-608",
            says = "the registration of a job with the reaper is cancelled when the job has ended",
            check = "that a late command cannot hit another process: process ids are reused.")
    void reaperRegistrationsEnd() {
        ProbeJob job = start();
        job.exit(0);
        job.ended();
        await(
                "BKD-608",
                fixture().endLimit(),
                () -> context().childReaper().pending().stream()
                        .noneMatch(command -> command.contains(job.job().id())),
                () -> "the job has ended and these commands still name it: "
                        + context().childReaper().pending() + ".");
    }

    @Clause(
            id = "BKD-610",
            says = "close in an interrupted thread does all of this, and leaves the thread interrupted",
            check = "each wait of close: an interrupt that ends it leaves jobs behind. A program is interrupted"
                    + " when its"
                    + " executor is shut down.")
    void interruptDoesNotShortenClose() {
        ProbeJob job = start().running();
        boolean isInterrupted;
        Thread.currentThread().interrupt();
        try {
            backend().close();
        } finally {
            isInterrupted = Thread.interrupted();
        }
        assertThat(isInterrupted).as("the thread is interrupted after close").isTrue();
        job.events().backendHasClosed();
        assertThat(job.events().termination(job.job()).map(JobTermination::state))
                .as("end of a job when close has returned")
                .contains(JobState.CANCELLED);
        job.gone("BKD-610");
    }

    @Clause(
            id = "BKD-612",
            says = "a session leaves what its JVM shares as it is, at any time: default locale and time zone, system"
                    + " properties, standard streams, handlers, and the interrupt status of the thread that calls it",
            check = "the libraries that the backend uses, and their first use.")
    void sharedStateStays() throws IOException {
        lookInASecondJvm("BKD-612", TidyMain.Look.AT_STATE);
    }

    @Clause(
            id = "BKD-613",
            says = "jobs that have ended hold no file of the master's process open and no thread of it, and close"
                    + " leaves none",
            check = "streams of programs and logs, connections, what watches files, and who waits for what has ended.")
    void filesAreClosed() throws IOException {
        Assumptions.assumeTrue(OpenFiles.areKnown(), "this system does not list the open files of a process");
        lookInASecondJvm("BKD-613", TidyMain.Look.AT_FILES);
    }

    @Clause(
            id = "BKD-614",
            says = "after close, the platform has no job of the session: none runs, waits, is held or is in an error"
                    + " state",
            check = "that jobs are removed in every state, including those that the platform never starts.")
    void closeLeavesNoJob() {
        assumePresent(fixture().left(context().sessionId()), "left");
        ProbeJob ended = start();
        ended.exit(0);
        ended.ended();
        ProbeJob running = start().running();
        String token = nextName();
        // No more is known of it than that it was submitted.
        ProbeJob fresh = start(probe(token).build(), token);
        backend().close();
        running.gone("BKD-601");
        fresh.ended();
    }

    private void lookInASecondJvm(String clauseId, TidyMain.Look look) throws IOException {
        var fixtureClass = assumePresent(fixture().masterFixture(), "masterFixture");
        Duration limit = fixture().startLimit().plus(fixture().endLimit()).multipliedBy(JOBS_OF_SECOND_JVM);
        try (MasterProcess master =
                MasterProcess.start(fixture(), TidyMain.class, fixtureClass, List.of(look.name()))) {
            if (master.awaitExit(limit) != 0) {
                throw new ClauseFailure(
                        clauseId, "in a second JVM, " + master.output().strip() + ".");
            }
        }
    }

    @Clause(
            id = "BKD-609",
            says = "when close returns, the end of every job has been reported, and no event follows",
            check = "that close waits for the thread that reports events.")
    void eventsEndWithClose() {
        ProbeJob one = start();
        ProbeJob other = start().running();
        backend().close();
        for (ProbeJob job : List.of(one, other)) {
            job.events().backendHasClosed();
            assertThat(job.events().termination(job.job()))
                    .as("end of a job when close has returned")
                    .isPresent();
        }
    }
}
