// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import static java.util.Objects.requireNonNull;

import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;

/**
 * A job with a listener: the common part of all backends' jobs. Public methods are thread-safe. Only one thread at a
 * time, the same for all jobs of a listener, may call the methods that report to it. The last of them is {@link
 * #tellEnded}, once.
 */
public abstract class ReportingJob implements Job {

    private final String name;
    private final JobListener listener;
    private volatile JobState state = JobState.QUEUED;

    /** Creates a queued job. */
    protected ReportingJob(String name, JobListener listener) {
        this.name = requireNonNull(name, "name");
        this.listener = requireNonNull(listener, "listener");
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final JobState state() {
        return state;
    }

    @Override
    public final void cancel(Duration grace) {
        if (grace.isNegative()) {
            throw new IllegalArgumentException("grace is " + grace + "; expected zero or more.");
        }
        cancelAfter(saturatedNanos(grace));
    }

    @Override
    public final List<String> logs(int lastLines) {
        if (lastLines < 0) {
            throw new IllegalArgumentException("lastLines is " + lastLines + "; expected 0 or more.");
        }
        return lastLines == 0 ? List.of() : lastLines(lastLines);
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + name + ", " + id() + ", " + state + "]";
    }

    /** Implements {@link #cancel}; the grace is not negative and can be added to a nanoTime. */
    protected abstract void cancelAfter(long graceNs);

    /** Implements {@link #logs}; the count is greater than zero. */
    protected abstract List<String> lastLines(int count);

    /** Reports that the job waits, and why. */
    protected final void tellWaiting(String reason) {
        tell(new JobEvent.Waiting(this, reason));
    }

    /** Reports that the program runs, and where. */
    protected final void tellRunning(String host) {
        state = JobState.RUNNING;
        tell(new JobEvent.Running(this, host));
    }

    /** Reports that the platform is about to end the job, and why. */
    protected final void tellPreempting(String reason) {
        tell(new JobEvent.Preempting(this, reason));
    }

    /** Reports the end. */
    protected final void tellEnded(JobTermination termination) {
        state = termination.state();
        tell(new JobEvent.Ended(this, termination));
    }

    /** Catches exceptions of a listener, which break its contract, so that the jobs of others are not affected. */
    private void tell(JobEvent event) {
        try {
            listener.onEvent(event);
        } catch (Throwable e) {
            System.getLogger(getClass().getName()).log(Level.WARNING, "A listener failed at " + event + ".", e);
        }
    }

    /** Returns nanoseconds that can be added to a nanoTime without overflow. */
    protected static long saturatedNanos(Duration duration) {
        try {
            return Math.min(duration.toNanos(), Long.MAX_VALUE / 4);
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE / 4;
        }
    }
}
