// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import io.fiber.cli.BackendAccess;
import io.fiber.spi.Secret;
import io.fiber.spi.backend.DetachedJobs;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.JobTermination.Cause;
import io.fiber.spi.backend.Submission;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/**
 * One job, from its submission to its end, with a command that waits for it. The first signal asks the job to end, the
 * second ends it by force. Belongs to the thread that calls {@link #run}; signals and events come from others.
 */
public final class Attached {

    private static final int ASKED_ONCE = 1;

    private final BlockingQueue<Object> inbox = new LinkedBlockingQueue<>();
    private final Duration grace;
    private final Consumer<JobEvent> told;
    private int signals;
    private int firstSignal;

    private record Signalled(int number) {}

    /**
     * Creates it; starts nothing.
     *
     * @param grace how long the program has to end by itself when it is asked to
     * @param told is told of each event, by the thread that calls {@link #run}
     */
    public Attached(Duration grace, Consumer<JobEvent> told) {
        this.grace = grace;
        this.told = told;
    }

    /**
     * How it ended.
     *
     * @param job the job
     * @param end what the backend says of its end
     * @param exitCode of this command
     */
    public record Outcome(Job job, JobTermination end, int exitCode) {}

    /** Takes SIGINT, SIGTERM and SIGHUP of this process from now on. */
    public void takeSignals() {
        Signals.takenBy(number -> inbox.add(new Signalled(number)));
    }

    /**
     * Submits one job and waits for its end. Signals that arrive while the platform is being asked count afterwards.
     *
     * @throws io.fiber.spi.backend.BackendException when the job is not taken
     */
    public Outcome run(BackendAccess access, Named named) throws InterruptedException {
        Job job = submit(access, named);
        Optional<JobTermination> end = Optional.empty();
        while (end.isEmpty()) {
            end = next(job);
        }
        return outcome(job, end.get());
    }

    /**
     * Submits one job and waits until its platform keeps it alone; or until it has ended, as it failed to start or was asked to.
     *
     * @param handedOver is told of the job when its platform keeps it
     * @return how it ended; empty when it goes on
     * @throws io.fiber.spi.backend.BackendException when the job is not taken
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
        return end.map(known -> outcome(job, known));
    }

    /** Tells whether nothing is left that a platform could keep. */
    private boolean isOver(Optional<JobTermination> end) {
        return end.isPresent() && (firstSignal > 0 || end.get().cause() == Cause.START_FAILED);
    }

    /** What is submitted, and what it is called. */
    public record Named(JobSpec spec, String name) {}

    private Job submit(BackendAccess access, Named named) {
        return access.backend()
                .submit(Submission.of(named.spec(), named.name(), Secret.of(new byte[0])), inbox::add)
                .get(0);
    }

    /** Takes the next signal or event; returns the end, if it is that. */
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

    private Outcome outcome(Job job, JobTermination end) {
        return new Outcome(job, end, firstSignal > 0 ? ExitCodes.ofSignal(firstSignal) : ExitCodes.of(end));
    }

    private void take(Signalled signal, Job job) {
        signals++;
        if (signals == ASKED_ONCE) {
            firstSignal = signal.number();
            job.cancel(grace);
        } else {
            job.cancel(Duration.ZERO);
        }
    }
}
