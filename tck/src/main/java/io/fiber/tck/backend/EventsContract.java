// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fiber.spec.EndCause;
import io.fiber.spec.Secret;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Submission;
import io.fiber.tck.clause.Clause;
import io.fiber.tck.clause.ClauseFailure;
import io.fiber.tck.probe.ExitMain;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;

/**
 * Clauses BKD-4xx: what is reported about jobs. BKD-401 to BKD-404 and BKD-406 are checked in every other test as well.
 */
abstract class EventsContract extends BackendContract {

    private static final String KILLED = "the program was killed from outside,";
    private static final long LINGER_MS = 300;
    private static final int CODE_OF_SIGKILL = 137;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);
    /** How late the end of a job may be reported. */
    private static final Duration LATE = Duration.ofMillis(500);
    /** A program that has room calls within this time, even on a busy machine. */
    private static final Duration ENOUGH_TO_CALL = Duration.ofSeconds(2);

    private ProbeJob runToEnd(int code) {
        EventRecorder recorder = recorder();
        Job job = submitOne(
                fixture().javaJob(ExitMain.class, String.valueOf(code)).build(), recorder);
        ProbeJob probe = new ProbeJob(this, job, recorder, "none");
        probe.ended();
        return probe;
    }

    @Clause(
            id = "BKD-401",
            says = "events arrive in the order of JobState, even for a program that ends at once",
            check = "that one thread or queue orders the events of a job, and that Waiting stops when it runs.")
    void eventsComeInOrder() {
        for (int i = 0; i < 5; i++) {
            ProbeJob job = runToEnd(0);
            job.events().check();
            assertThat(job.events()
                            .story(job.job())
                            .get(job.events().story(job.job()).size() - 1))
                    .as("last event")
                    .isInstanceOf(JobEvent.Ended.class);
        }
    }

    @Clause(
            id = "BKD-402",
            says = "two events of a job are never reported at the same time",
            check = "that the thread which sees the start and the thread which sees the end use one queue.")
    void eventsDoNotOverlap() throws InterruptedException {
        AtomicInteger inside = new AtomicInteger();
        CountDownLatch overlap = new CountDownLatch(1);
        EventRecorder recorder = new EventRecorder(fixture().capabilities(), event -> {
            if (inside.incrementAndGet() > 1) {
                overlap.countDown();
            }
            linger(overlap, event);
            inside.decrementAndGet();
        });
        watch(recorder);
        Job job = submitOne(fixture().briefJob().build(), recorder);
        new ProbeJob(this, job, recorder, "none").ended();
        recorder.check();
        assertThat(overlap.getCount()).as("overlaps are absent").isEqualTo(1);
    }

    /** Stays inside the first event until the end has had time to overtake it. */
    private static void linger(CountDownLatch overlap, JobEvent event) {
        try {
            if (event instanceof JobEvent.Running && overlap.await(LINGER_MS, TimeUnit.MILLISECONDS)) {
                overlap.countDown();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Clause(
            id = "BKD-403",
            says = "each state is reported at most once",
            check = "that a state that a poll sees again is not reported again.")
    void eachStateIsToldOnce() {
        ProbeJob job = start().running();
        letOthersPass();
        job.exit(0);
        job.ended();
        assertThat(job.events().story(job.job()).stream().filter(JobEvent.Running.class::isInstance))
                .as("Running events")
                .hasSize(1);
    }

    @Clause(
            id = "BKD-404",
            says = "the last event of each job is its only Ended, even if the backend is closed",
            check = "that every way to end (by itself, cancelled, closed, lost) leads to the one place that"
                    + " reports it.")
    void exactlyOneEnd() {
        ProbeJob byItself = start();
        ProbeJob cancelled = start();
        ProbeJob closed = start();
        byItself.exit(0);
        byItself.ended();
        cancelled.job().cancel(Duration.ZERO);
        cancelled.ended();
        backend().close();
        closed.ended();
        for (ProbeJob job : new ProbeJob[] {byItself, cancelled, closed}) {
            job.events().check();
            assertThat(job.events().story(job.job()).stream().filter(JobEvent.Ended.class::isInstance))
                    .as("Ended events")
                    .hasSize(1);
        }
    }

    @Clause(
            id = "BKD-405",
            says = "Running is reported when the program has been started, with the host that it runs on",
            check = "that the platform's own start is reported, and that its host is not empty.")
    void startIsTold() {
        ProbeJob job = start().running();
        assertThat(job.events().running(job.job()).orElseThrow().host())
                .as("host")
                .isNotBlank();
    }

    @Clause(
            id = "BKD-406",
            says = "an event refers to the job that submit returned",
            check = "that events carry the same handle, or one with the same name and id.")
    void eventsNameTheirJob() {
        ProbeJob job = start().running();
        job.exit(0);
        job.ended();
        assertThat(job.events().story(job.job())).allSatisfy(event -> {
            assertThat(event.job().name())
                    .as("name of an event's job")
                    .isEqualTo(job.job().name());
            assertThat(event.job().id())
                    .as("id of an event's job")
                    .isEqualTo(job.job().id());
        });
    }

    @Clause(
            id = "BKD-407",
            says = "a program that ends with exit code 0 has SUCCEEDED",
            check = "how the platform's result is translated.")
    void exitCodeZeroSucceeds() {
        ProbeJob job = runToEnd(0);
        assertThat(job.ended()).as("termination").isEqualTo(JobTermination.exited(0));
    }

    @Clause(
            id = "BKD-408",
            says = "a program that ends with another exit code has FAILED, with the cause EXITED and that code",
            check = "how the platform's result is translated, and whether a wrapper hides the code.")
    void otherExitCodeFails() {
        for (int code : new int[] {1, 7, 100}) {
            JobTermination end = runToEnd(code).ended();
            assertThat(end.state()).as("state after exit code %s", code).isEqualTo(JobState.FAILED);
            assertThat(end.cause()).as("cause after exit code %s", code).isEqualTo(EndCause.EXITED);
            assertThat(end.exitCode()).as("exit code").hasValue(code);
        }
    }

    @Clause(
            id = "BKD-409",
            says = "a program that is killed from outside has FAILED",
            check = "that jobs without news are asked about, because a node that dies reports nothing, and that an end"
                    + " that was not requested is neither CANCELLED nor LOST while the platform knows it.")
    void killedProgramFails() {
        var killer = assumePresent(fixture().killer(), "killer");
        ProbeJob job = start().running();
        killer.accept(job.job());
        JobTermination end = job.ended("BKD-409", KILLED);
        assertThat(end.state()).as("state").isEqualTo(JobState.FAILED);
        assertThat(end.cause()).as("cause").isNotIn(EndCause.CANCELLED, EndCause.START_FAILED, EndCause.NO_ROOM);
        end.exitCode().ifPresent(code -> assertThat(code).as("exit code").isNotZero());
    }

    @Clause(
            id = "BKD-410",
            says = "state() is the last state that was reported",
            check = "that the same step sets the state and reports the event.")
    void stateIsWhatWasTold() {
        ProbeJob job = start().running();
        awaitState(job, JobState.RUNNING);
        job.exit(5);
        job.ended();
        awaitState(job, JobState.FAILED);
    }

    private void awaitState(ProbeJob job, JobState state) {
        await(
                "BKD-410",
                fixture().endLimit(),
                () -> job.job().state() == state,
                () -> "state() is " + job.job().state() + " after the events "
                        + job.events().describe(job.job()) + ".");
    }

    @Clause(
            id = "BKD-411",
            says = "while the platform cannot be asked, no end is reported; what happened is reported afterwards",
            check = "that an error of the platform's interface is retried and never read as \"the job is gone\".")
    void outageIsNoEvent() {
        BackendFixture.Outage outage = assumePresent(fixture().outage(), "outage");
        ProbeJob survivor = start().running();
        ProbeJob leaver = start().running();
        outage.begin();
        try {
            leaver.exit(9);
            leaver.gone("BKD-203");
            assertThat(catchThrowable(() -> submitOne(probe("none").build(), recorder())))
                    .as("what submit throws meanwhile")
                    .isInstanceOf(BackendUnavailableException.class);
            assertThat(survivor.events().termination(survivor.job()))
                    .as("end of a job that runs on")
                    .isEmpty();
        } finally {
            outage.end();
        }
        assertThat(leaver.ended("BKD-411").exitCode())
                .as("exit code told later")
                .hasValue(9);
        survivor.tell("print", "still here");
        assertThat(survivor.job().state()).as("state of the survivor").isEqualTo(JobState.RUNNING);
    }

    @Clause(
            id = "BKD-412",
            says = "submit throws BackendUnavailableException while the platform is unreachable, and starts nothing",
            check = "the type of the exception, and that a request which may have arrived is not repeated blindly.")
    void submitIsUnavailableInOutage() {
        BackendFixture.Outage outage = assumePresent(fixture().outage(), "outage");
        String token = nextName();
        Submission submission = Submission.of(probe(token).build(), nextName(), Secret.empty());
        outage.begin();
        try {
            assertThat(catchThrowable(() -> backend().submit(submission, recorder())))
                    .as("what submit throws")
                    .isInstanceOf(BackendUnavailableException.class);
        } finally {
            outage.end();
        }
        letOthersPass();
        assertThat(beacon().calls(token))
                .as("programs of the refused submission")
                .isEmpty();
    }

    @Clause(
            id = "BKD-413",
            says = "an exit code above 127 is reported unchanged",
            check = "that no byte is read as signed, and that 128 + n from a program that ended by"
                    + " itself is not taken for a signal.")
    void highExitCodesAreTold() {
        for (int code : new int[] {143, 200, 255}) {
            JobTermination end = runToEnd(code).ended();
            assertThat(end.state()).as("state after exit code %s", code).isEqualTo(JobState.FAILED);
            assertThat(end.exitCode()).as("exit code").hasValue(code);
        }
    }

    @Clause(
            id = "BKD-414",
            says = "a job that waits for a slot is QUEUED, and Running is reported only when it has one",
            check = "which of the platform's states are read as running: accepted, scheduled and starting do"
                    + " not count.")
    @Tag(Clause.DISTURBS)
    void waitingIsNotRunning() {
        BackendFixture.Fullness full = assumePresent(fixture().fullness(), "fullness");
        String token = nextName();
        EventRecorder recorder = recorder();
        JobSpec spec = probe(token).build();
        Optional<Duration> limit = timeLimitOfOneThatWaits();
        Backend other = open().backend();
        ProbeJob job;
        full.begin();
        try {
            JobSpec limited =
                    limit.isPresent() ? probe(token).timeLimit(limit.get()).build() : spec;
            job = new ProbeJob(this, submitOne(limited, recorder), recorder, token);
            long submittedNs = System.nanoTime();
            // By the time another of its jobs was submitted and has ended, a backend has checked waiting jobs once
            // more.
            EventRecorder others = recorder();
            Job second = submit(other, Submission.of(spec, nextName(), Secret.empty()), others)
                    .get(0);
            second.cancel(Duration.ZERO);
            new ProbeJob(this, second, others, token).ended("BKD-311");
            assertThat(recorder.running(job.job()))
                    .as("Running of a job that waits")
                    .isEmpty();
            limit.map(LATE::plus)
                    .ifPresent(time -> await(
                            "BKD-517",
                            time.multipliedBy(2),
                            () -> System.nanoTime() - submittedNs > time.toNanos(),
                            () -> "the time did not pass."));
            if (recorder.termination(job.job()).isPresent()) {
                throw new ClauseFailure(
                        "BKD-517", "a job that waits for a place has ended: " + recorder.describe(job.job()) + ".");
            }
            assertThat(job.job().state()).as("state of a job that waits").isEqualTo(JobState.QUEUED);
        } finally {
            full.end();
        }
        job.running().call();
    }

    /** Returns no limit for platforms that accept none below a minute, because they measure it themselves. */
    private Optional<Duration> timeLimitOfOneThatWaits() {
        return fixture().capabilities().contains(Capability.TIME_LIMIT)
                        && fixture().shortestTimeLimit().compareTo(LONGEST_WAIT) <= 0
                ? Optional.of(
                        ENOUGH_TO_CALL.compareTo(fixture().shortestTimeLimit()) > 0
                                ? ENOUGH_TO_CALL
                                : fixture().shortestTimeLimit())
                : Optional.empty();
    }

    @Clause(
            id = "BKD-415",
            says = "an outage of seconds ends no job: live jobs are reported as live, ended jobs with their code,"
                    + " and jobs cancelled meanwhile end afterwards",
            check = "that no time-out or number of tries makes the backend give up a job during an"
                    + " outage, and that requests that did not reach the platform are sent again.")
    @Tag(Clause.WAITS)
    void longOutageIsNoEvent() {
        BackendFixture.Outage outage = assumePresent(fixture().outage(), "outage");
        ProbeJob survivor = start().running();
        ProbeJob leaver = start().running();
        ProbeJob cancelled = start().running();
        outage.begin();
        try {
            cancelled.job().cancel(Duration.ZERO);
            leaver.exit(7);
            leaver.gone("BKD-203");
            long endNs = System.nanoTime() + fixture().outageLength().toNanos();
            await(
                    "BKD-415",
                    fixture().outageLength().multipliedBy(2),
                    () -> System.nanoTime() - endNs >= 0
                            || survivor.events().termination(survivor.job()).isPresent(),
                    () -> "the time of the outage did not pass.");
        } finally {
            outage.end();
        }
        assertThat(leaver.ended("BKD-415").exitCode())
                .as("exit code told later")
                .hasValue(7);
        assertThat(cancelled.ended("BKD-415").state())
                .as("state of a job that was cancelled meanwhile")
                .isEqualTo(JobState.CANCELLED);
        cancelled.gone("BKD-415");
        survivor.tell("print", "still here");
        assertThat(survivor.events().termination(survivor.job()))
                .as("end of a job that lives")
                .isEmpty();
        assertThat(survivor.job().state()).as("its state").isEqualTo(JobState.RUNNING);
    }

    @Clause(
            id = "BKD-416",
            says = "if a program that was ended by a signal has an exit code, it is 128 plus the signal's number",
            check = "how the platform counts: some report 9 or -9 for a program that was killed.")
    void codeOfASignalIsThatOfAShell() {
        var killer = assumePresent(fixture().killer(), "killer");
        ProbeJob job = start().running();
        killer.accept(job.job());
        job.ended("BKD-409", KILLED)
                .exitCode()
                .ifPresent(code -> assertThat(code)
                        .as("exit code of a program that was killed")
                        .isEqualTo(CODE_OF_SIGKILL));
    }
}
