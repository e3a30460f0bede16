// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spec.Secret;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.Submission;
import io.fiber.tck.clause.Clause;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/** Clauses BKD-214 and BKD-313: which threads may call a backend, and when. */
abstract class CallerThreadsContract extends BackendContract {

    private static final String STILL_BUSY = "still busy";
    private static final String DONE = "done";

    @Clause(
            id = "BKD-214",
            says = "submit in an interrupted thread submits, or throws and starts nothing, and leaves the thread"
                    + " interrupted",
            check = "each wait of submit: code that catches InterruptedException must set the interrupt again.")
    void interruptIsKeptBySubmit() {
        String token = nextName();
        JobSpec spec = probe(token).build();
        String name = nextName();
        EventRecorder recorder = recorder();
        List<Job> jobs = List.of();
        boolean isInterrupted;
        Thread.currentThread().interrupt();
        try {
            jobs = submit(backend(), Submission.of(spec, name, Secret.empty()), recorder);
        } catch (BackendException e) {
            // It says that nothing was started.
        } finally {
            isInterrupted = Thread.interrupted();
        }
        assertThat(isInterrupted)
                .as("the thread is interrupted after submit, as it was before")
                .isTrue();
        if (!jobs.isEmpty()) {
            new ProbeJob(this, jobs.get(0), recorder, token).call();
        } else {
            letOthersPass();
            assertThat(beacon().calls(token))
                    .as("programs of a submission that an interrupt has ended")
                    .isEmpty();
        }
    }

    @Clause(
            id = "BKD-313",
            says = "while an event is being reported, other threads can submit and cancel",
            check = "that no lock is held while a listener is called: it may wait for a thread that needs the lock.")
    void otherThreadsGoOnDuringAnEvent() throws InterruptedException {
        String token = nextName();
        String otherToken = nextName();
        String otherName = nextName();
        JobSpec spec = probe(token).build();
        JobSpec other = probe(otherToken).build();
        EventRecorder others = recorder();
        AtomicReference<String> seen = new AtomicReference<>("");
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            EventRecorder recorder = new EventRecorder(fixture().capabilities(), event -> {
                if (event instanceof JobEvent.Running && seen.compareAndSet("", STILL_BUSY)) {
                    CompletableFuture<Void> submitted = CompletableFuture.runAsync(
                            () -> {
                                Job job = submit(backend(), Submission.of(other, otherName, Secret.empty()), others)
                                        .get(0);
                                job.cancel(Duration.ZERO);
                                event.job().cancel(Duration.ZERO);
                            },
                            thread);
                    seen.set(resultOf(submitted));
                }
            });
            watch(recorder);
            Job job = submitOne(spec, recorder);
            Duration limit =
                    fixture().startLimit().plus(patience()).plus(fixture().endLimit());
            await(
                    "BKD-313",
                    limit,
                    () -> recorder.termination(job).isPresent() && !STILL_BUSY.equals(seen.get()),
                    () -> "the listener's other thread is " + seen.get() + ", and no end was reported for job '"
                            + job.name() + "' within " + limit + "; its events are " + recorder.describe(job) + ".");
            assertThat(seen.get())
                    .as("another thread that submits and cancels, while the listener waits for it")
                    .isEqualTo(DONE);
            assertThat(recorder.termination(job).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
        } finally {
            thread.shutdown();
            thread.awaitTermination(fixture().leakLimit().toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private Duration patience() {
        return fixture().startLimit();
    }

    private String resultOf(CompletableFuture<Void> other) {
        try {
            other.get(patience().toMillis(), TimeUnit.MILLISECONDS);
            return DONE;
        } catch (TimeoutException e) {
            return STILL_BUSY + " after " + patience() + ", as if it waited for the listener";
        } catch (ExecutionException e) {
            return "ended by " + e.getCause();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "not waited for, because the listener's thread was interrupted";
        }
    }
}
