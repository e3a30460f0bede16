// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import io.fiber.spec.Secret;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Submission;
import io.fiber.tck.clause.ClauseFailure;
import io.fiber.tck.clause.ClauseNames;
import io.fiber.tck.clause.ClauseReporting;
import io.fiber.tck.clause.ClauseSelection;
import io.fiber.tck.host.FixtureDirectory;
import io.fiber.tck.host.ThreadCensus;
import io.fiber.tck.probe.ProbeMain;
import io.fiber.tck.report.ClauseReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The common part of the groups of backend clauses: a fixture for each test, backends that are closed after it, probes
 * that call the kit, and the check that nothing is left. Uses one thread, except for events.
 */
@ExtendWith({ClauseReporting.class, ClauseSelection.class})
@DisplayNameGeneration(ClauseNames.class)
abstract class BackendContract {

    private static final long POLL_NS = 1_000_000;

    private BackendFixture fixture;
    private ThreadCensus census;
    private final List<Opened> opened = new ArrayList<>();
    private final List<EventRecorder> recorders = new ArrayList<>();
    private @Nullable Beacon beacon;
    private int names;

    /** A backend and the session for which it was opened. */
    record Opened(Backend backend, KitBackendContext context) {}

    abstract BackendFixture createFixture();

    @BeforeEach
    void openFixture(TestInfo info, TestReporter reporter) {
        fixture = createFixture();
        census = ThreadCensus.take();
        reporter.publishEntry(ClauseReport.SUBJECT_KEY, fixture.name());
        info.getTestMethod().map(method -> method.getAnnotation(Requires.class)).ifPresent(this::checkCapabilities);
    }

    private void checkCapabilities(Requires requires) {
        Set<io.fiber.spi.backend.Capability> has = fixture.capabilities();
        List<?> missing = Arrays.stream(requires.value())
                .filter(capability -> !has.contains(capability))
                .toList();
        assume(missing.isEmpty(), "does not declare " + missing);
        List<?> present = Arrays.stream(requires.absent()).filter(has::contains).toList();
        assume(present.isEmpty(), "declares " + present + "; this clause is for backends without it");
    }

    @AfterEach
    void closeFixture() {
        BackendFixture toClose = fixture;
        if (toClose == null) {
            return; // It could not be created, which was reported.
        }
        try {
            for (Opened each : opened) {
                each.backend.close();
            }
            recorders.forEach(EventRecorder::backendHasClosed);
            checkThatNothingIsLeft();
            closeBeacon();
            List<String> threads = census.leftAfter(toClose.leakLimit());
            if (!threads.isEmpty()) {
                throw new ClauseFailure("BKD-605", "after close, these threads are still alive: " + threads + ".");
            }
            recorders.forEach(EventRecorder::check);
        } finally {
            closeBeacon();
            opened.forEach(each -> each.context.close());
            toClose.close();
        }
    }

    private void closeBeacon() {
        if (beacon != null) {
            beacon.close();
        }
    }

    private void checkThatNothingIsLeft() {
        Beacon calls = beacon;
        if (calls != null) {
            await(
                    "BKD-601",
                    fixture.endLimit(),
                    () -> calls.alive().isEmpty(),
                    () -> "after close these programs still run: " + calls.alive() + ".");
        }
        for (Opened each : opened) {
            List<String> files = FixtureDirectory.contentOf(each.context.directory());
            if (!files.isEmpty()) {
                throw new ClauseFailure("BKD-606", "after close these files are left: " + files + ".");
            }
            await(
                    "BKD-614",
                    fixture.endLimit(),
                    () -> left(each).isEmpty(),
                    () -> "after close the platform still has of session " + each.context.sessionId() + ": "
                            + left(each) + ".");
            if (!each.context.childReaper().pending().isEmpty()) {
                throw new ClauseFailure(
                        "BKD-608",
                        "after close these commands still wait for this process to die: "
                                + each.context.childReaper().pending() + ".");
            }
        }
    }

    private List<String> left(Opened session) {
        return fixture.left(session.context.sessionId()).orElse(List.of());
    }

    BackendFixture fixture() {
        return fixture;
    }

    /** Opens another backend, for a session of its own. */
    Opened open() {
        KitBackendContext context = new KitBackendContext(fixture);
        Backend backend = fixture.backend(context);
        if (backend == null) {
            throw new ClauseFailure("BKD-001", "the fixture opened a backend that is null.");
        }
        Opened each = new Opened(backend, context);
        opened.add(each);
        return each;
    }

    /** Returns the test's backend, which the first call opens. */
    Backend backend() {
        return opened.isEmpty() ? open().backend : opened.get(0).backend;
    }

    KitBackendContext context() {
        backend();
        return opened.get(0).context;
    }

    Beacon beacon() {
        Beacon existing = beacon;
        if (existing == null) {
            existing = Beacon.open(backend().callerHost());
            beacon = existing;
        }
        return existing;
    }

    EventRecorder recorder() {
        EventRecorder recorder = new EventRecorder(fixture.capabilities());
        recorders.add(recorder);
        return recorder;
    }

    void watch(EventRecorder recorder) {
        recorders.add(recorder);
    }

    String nextName() {
        return "tck-" + context().sessionId() + "-" + names++;
    }

    /** Returns a spec that runs a probe. */
    JobSpec.Builder probe(String token, String... arguments) {
        List<String> words = new ArrayList<>(List.of(beacon().address(), token));
        words.addAll(List.of(arguments));
        return fixture.javaJob(ProbeMain.class, words.toArray(String[]::new));
    }

    /** Submits jobs, and checks the form of the result. */
    List<Job> submit(Backend backend, Submission submission, EventRecorder recorder) {
        List<Job> jobs = backend.submit(submission, recorder);
        List<String> expected =
                submission.instances().stream().map(Submission.Instance::name).toList();
        if (jobs == null || jobs.stream().anyMatch(job -> job == null)) {
            throw new ClauseFailure("BKD-201", "submit of " + expected + " returned " + jobs + ".");
        }
        List<String> returned = jobs.stream().map(Job::name).toList();
        if (!returned.equals(expected)) {
            throw new ClauseFailure("BKD-201", "submit of " + expected + " returned jobs named " + returned + ".");
        }
        return jobs;
    }

    Job submitOne(JobSpec spec, EventRecorder recorder) {
        return submit(backend(), Submission.of(spec, nextName(), Secret.empty()), recorder)
                .get(0);
    }

    /** Submits one job of a spec whose probe has this token. */
    ProbeJob start(Backend backend, JobSpec spec, String token, Secret bootstrap) {
        EventRecorder recorder = recorder();
        Job job = submit(backend, Submission.of(spec, nextName(), bootstrap), recorder)
                .get(0);
        return new ProbeJob(this, job, recorder, token);
    }

    ProbeJob start(JobSpec spec, String token) {
        return start(backend(), spec, token, Secret.empty());
    }

    /** Starts a probe and waits for its call. */
    ProbeJob start() {
        String token = nextName();
        ProbeJob job = start(probe(token).build(), token);
        job.call();
        return job;
    }

    /** Runs another probe to its end, which gives anything started by mistake enough time to appear. */
    void letOthersPass() {
        ProbeJob sentinel = start();
        exitAll(List.of(sentinel.job()), sentinel.events(), sentinel.token(), "0");
    }

    /** Waits until the programs of all jobs have called with this token. */
    void awaitCalls(List<Job> jobs, EventRecorder recorder, String token) {
        await(
                "BKD-202",
                fixture.startLimit(),
                () -> beacon().calls(token).size() >= jobs.size(),
                () -> "of " + jobs.size() + " programs " + beacon().calls(token).size() + " called the kit at "
                        + beacon().address() + " within " + fixture.startLimit()
                        + "; the events and the output of each are "
                        + jobs.stream()
                                .map(job -> recorder.describe(job) + " " + outputOf(job))
                                .toList()
                        + ".");
    }

    /** Tells every program with the token to end, including late callers, and waits for the end of the jobs. */
    void exitAll(List<Job> jobs, EventRecorder recorder, String token, String code) {
        Set<ProbeCall> told = new HashSet<>();
        Duration limit = fixture().startLimit().plus(fixture().endLimit());
        await(
                "BKD-404",
                limit,
                () -> {
                    beacon().calls(token).stream().filter(told::add).forEach(call -> call.tell("exit", code));
                    return jobs.stream()
                            .allMatch(job -> recorder.termination(job).isPresent());
                },
                () -> "the ends of some of " + jobs.size() + " jobs were not reported within "
                        + limit + ", although their programs had time to start and were told to end; their events"
                        + " are "
                        + jobs.stream().map(recorder::describe).toList() + ".");
    }

    /** Checks that reading logs works; a job that never ran has no output, which is not an error. */
    void checkThatLogsCanBeRead(Job job) {
        if (!fixture.capabilities().contains(Capability.LOGS)) {
            return;
        }
        try {
            if (job.logs(20) == null) {
                throw new ClauseFailure("BKD-723", "logs of job '" + job.name() + "' is null.");
            }
        } catch (BackendUnavailableException e) {
            // The platform may be asked again.
        } catch (RuntimeException e) {
            throw new ClauseFailure(
                    "BKD-723", "logs of job '" + job.name() + "' in state " + job.state() + " throws " + e + ".", e);
        }
    }

    String outputOf(Job job) {
        try {
            return job.logs(20).toString();
        } catch (UnsupportedOperationException | BackendException e) {
            return "unknown";
        }
    }

    void await(String clauseId, Duration limit, BooleanSupplier condition, Supplier<String> seen) {
        long deadlineNs = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new ClauseFailure(clauseId, seen.get());
            }
            LockSupport.parkNanos(POLL_NS);
        }
    }

    /** Skips the test if the condition does not hold; the report shows the reason. */
    void assume(boolean holds, String reason) {
        Assumptions.assumeTrue(holds, "backend '" + fixture.name() + "' " + reason);
    }

    <T> T assumePresent(Optional<T> value, String method) {
        assume(value.isPresent(), "is not tested for this: its fixture's " + method + "() is empty");
        return value.orElseThrow();
    }
}
