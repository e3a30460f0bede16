// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobTermination;
import java.time.Duration;

/** A job that runs a probe, as a test sees it: the backend's handle, its events, and the call of the program itself. */
record ProbeJob(BackendContract test, Job job, EventRecorder events, String token) {

    private static final Duration CALL_AFTER_END = Duration.ofSeconds(20);

    /** Waits until the program calls. */
    ProbeCall call() {
        if (!hasCalledBeforeItsEnd()) {
            // What it said before its end may still be on its way.
            test.await(
                    "BKD-202", CALL_AFTER_END, () -> test.beacon().call(token).isPresent(), this::silence);
        }
        return test.beacon().call(token).orElseThrow();
    }

    private String silence() {
        String when = events.termination(job).isPresent()
                ? "before its end"
                : "within " + test.fixture().startLimit();
        return "the program of job '" + job.name() + "' did not call the kit at "
                + test.beacon().address() + " " + when + "; its events are "
                + events.describe(job) + ", its output is " + test.outputOf(job) + ".";
    }

    /** Waits until the program has connected to this process or the job has ended, and returns whether it connected. */
    boolean hasCalledBeforeItsEnd() {
        test.await(
                "BKD-202",
                test.fixture().startLimit(),
                () -> test.beacon().call(token).isPresent()
                        || events.termination(job).isPresent(),
                this::silence);
        return test.beacon().call(token).isPresent();
    }

    /** Waits for the event that the job runs. */
    ProbeJob running() {
        test.await(
                "BKD-405",
                test.fixture().startLimit(),
                () -> events.running(job).isPresent(),
                () -> "no Running was reported for job '" + job.name() + "' within "
                        + test.fixture().startLimit() + "; its events are " + events.describe(job) + ".");
        return this;
    }

    /** Waits for the event that the job has ended. */
    JobTermination ended() {
        return ended("BKD-404");
    }

    /** Waits for the end, and reports a violation of the clause if it is not reported. */
    JobTermination ended(String clauseId) {
        return ended(clauseId, "");
    }

    /** Waits for the end; {@code because}, which ends with a comma, says what must have ended the job. */
    JobTermination ended(String clauseId, String because) {
        test.await(
                clauseId,
                test.fixture().endLimit(),
                () -> events.termination(job).isPresent(),
                () -> because + (because.isEmpty() ? "" : " and ") + "no end was reported for job '" + job.name()
                        + "' within "
                        + test.fixture().endLimit() + "; its events are " + events.describe(job) + ", its state is "
                        + job.state() + ".");
        return events.termination(job).orElseThrow();
    }

    /** Tells the program to do something and waits until it is done. */
    void tell(String command, String argument) {
        ProbeCall call = call();
        int before = call.done();
        call.tell(command, argument);
        test.await(
                "BKD-203",
                test.fixture().startLimit(),
                () -> call.done() > before,
                () -> "the program of job '" + job.name() + "' did not do '" + command + "'; it is "
                        + (call.isGone() ? "gone" : "still there") + ", its output is " + test.outputOf(job) + ".");
    }

    /** Tells the program to end with this exit code. */
    void exit(int code) {
        call().tell("exit", String.valueOf(code));
    }

    /**
     * Waits until the program's own connection shows that it is gone, and reports a violation of the clause if it is
     * not.
     */
    void gone(String clauseId) {
        ProbeCall call = call();
        test.await(
                clauseId,
                test.fixture().endLimit(),
                call::isGone,
                () -> "the program of job '" + job.name() + "' still runs after "
                        + test.fixture().endLimit() + "; its events are " + events.describe(job) + ".");
    }
}
