// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import io.fiber.runtime.platform.Signals;
import io.fiber.spec.EndCause;
import io.fiber.spec.Secret;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.DetachedJobs;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Submission;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Jobs, one after another, each from its submission to its end, with a command that waits for them. The first signal asks
 * the job to end, the second one kills it. Not thread-safe, except that signals and events come from other threads.
 */
public final class Attached {

    private static final int ASKED_ONCE = 1;

    private final BlockingQueue<Object> inbox = new LinkedBlockingQueue<>();
    private final Duration grace;
    private final Consumer<JobEvent> told;
    private final Consumer<Job> unshown;
    private int signals;
    private int firstSignal;

    private record Signalled(int number) {}

    /**
     * Creates it without starting anything.
     *
     * @param grace how long the program may take to end by itself when asked to
     * @param told receives each event, in the thread that calls {@link #run}
     * @param unshown receives each job that has ended without having shown its output on the console
     */
    public Attached(Duration grace, Consumer<JobEvent> told, Consumer<Job> unshown) {
        this.grace = grace;
        this.told = told;
        this.unshown = unshown;
    }

    /**
     * How the job ended.
     *
     * @param job the job
     * @param end what the backend reports about its end
     * @param exitCode exit code of this command
     */
    public record Outcome(Job job, JobTermination end, int exitCode) {

        /** Returns the outcome if the platform does not accept a further job after this one. */
        static Outcome notStarted(Job job, BackendException why) {
            return new Outcome(
                    job,
                    JobTermination.failed(EndCause.START_FAILED, OptionalInt.empty(), String.valueOf(why.getMessage())),
                    ExitCodes.NOT_RUN);
        }
    }

    /** Handles SIGINT, SIGTERM and SIGHUP of this process from now on. */
    public void takeSignals() {
        Signals.takenBy(number -> inbox.add(new Signalled(number)), Signals.ENDING);
    }

    /**
     * Submits a job and waits for its end. Signals that arrive during the submission take effect after it.
     *
     * @throws BackendException if the job is not accepted
     */
    public Outcome run(BackendAccess access, Named named) throws InterruptedException {
        Job job = submit(access, named);
        Optional<JobTermination> end = Optional.empty();
        while (end.isEmpty()) {
            end = next(job);
        }
        return outcome(job, named, end.get());
    }

    /** Returns whether a signal has asked the job to end, or this command before it submits the next job. */
    boolean isSignalled() {
        return firstSignal > 0;
    }

    /**
     * Waits before the next job is submitted. A signal ends the wait.
     *
     * @return whether the next job should be submitted
     */
    boolean pause(Duration length) throws InterruptedException {
        long endNs = System.nanoTime() + length.toNanos();
        while (true) {
            Object next = inbox.poll(endNs - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (next == null) {
                return true;
            }
            if (next instanceof Signalled signal) {
                count(signal);
                return false;
            }
        }
    }

    /** Returns the outcome if a signal came after the end of this job and before the next one. */
    Outcome cancelled(Job job) {
        return new Outcome(job, JobTermination.cancelled(), ExitCodes.ofSignal(firstSignal));
    }

    /**
     * Submits a job and waits until its platform keeps it without this process, or until it has ended because it failed
     * to start or was asked to.
     *
     * @param handedOver receives the job when its platform keeps it
     * @return how it ended; empty if it continues
     * @throws BackendException if the job is not accepted
     */
    public Optional<Outcome> handOver(
            BackendAccess access, DetachedJobs platform, Named named, Consumer<Job> handedOver)
            throws InterruptedException {
        Job job = submit(access, named);
        Optional<JobTermination> end = Optional.empty();
        while (!isOver(end) && !platform.handOver()) {
            end = next(job);
        }
        if (!isOver(end)) {
            handedOver.accept(job);
        }
        return end.map(known -> outcome(job, named, known));
    }

    /** Returns whether nothing is left that a platform could keep. */
    private boolean isOver(Optional<JobTermination> end) {
        return end.isPresent()
                && (firstSignal > 0
                        || end.get().cause() == EndCause.START_FAILED
                        || end.get().cause() == EndCause.NO_ROOM);
    }

    /** A job to submit, and its name. */
    public record Named(JobSpec spec, String name) {

        /** Returns the job for a restart. In a session, no two jobs have the same name. */
        Named again(int restart) {
            return new Named(spec, RunName.withNumber(name, restart));
        }
    }

    private Job submit(BackendAccess access, Named named) {
        return access.backend()
                .submit(Submission.of(named.spec(), named.name(), Secret.of(new byte[0])), inbox::add)
                .get(0);
    }

    /** Handles the next signal or event; returns the end if the event is the end. */
    private Optional<JobTermination> next(Job job) throws InterruptedException {
        Object next = inbox.take();
        if (next instanceof Signalled signal) {
            take(signal, job);
        } else if (next instanceof JobEvent event) {
            told.accept(event);
            return event instanceof JobEvent.Ended ended ? Optional.of(ended.termination()) : Optional.empty();
        }
        return Optional.empty();
    }

    private Outcome outcome(Job job, Named named, JobTermination end) {
        if (named.spec().output() instanceof JobOutput.None) {
            unshown.accept(job);
        }
        return new Outcome(job, end, firstSignal > 0 ? ExitCodes.ofSignal(firstSignal) : ExitCodes.of(end));
    }

    private void take(Signalled signal, Job job) {
        count(signal);
        job.cancel(signals == ASKED_ONCE ? grace : Duration.ZERO);
    }

    private void count(Signalled signal) {
        signals++;
        if (signals == ASKED_ONCE) {
            firstSignal = signal.number();
        }
    }
}
