// SPDX-License-Identifier: Apache-2.0
package com.example.fiber.shell;

import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The story of one job, which the thread of the starter tells. */
final class ShellJob implements Job {

    private final String name;
    private final JobDirectory directory;
    private final JobListener listener;
    private final Starter starter;
    private final ScheduledExecutorService signals;
    private volatile JobState state = JobState.QUEUED;
    private boolean isCancelled;
    private boolean isKillDue;

    ShellJob(String name, JobDirectory directory, JobListener listener, ShellBackend backend) {
        this.name = name;
        this.directory = directory;
        this.listener = listener;
        this.starter = backend.starter();
        this.signals = backend.signals();
    }

    /** Asks at once, and ends by force when the grace is over: of several calls the earliest counts by itself. */
    @Override
    public void cancel(Duration grace) {
        try {
            if (markCancelled() && !grace.isZero()) {
                signals.execute(() -> send("TERM"));
            }
            signals.schedule(this::kill, TimeUnit.NANOSECONDS.convert(grace), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // The backend is closed, and with it every job has ended.
        }
    }

    /** Says whether this is the first time, of a job that has not ended. */
    synchronized boolean markCancelled() {
        boolean isFirst = !isCancelled && !state.isFinal();
        isCancelled |= isFirst;
        return isFirst;
    }

    private synchronized void kill() {
        isKillDue = true;
        send("KILL");
    }

    /** What has not begun has no process group yet; it hears of it when it has. */
    private synchronized void send(String signal) {
        if (state != JobState.RUNNING) {
            return;
        }
        try {
            starter.order(signal, directory.path());
        } catch (IOException e) {
            // The starter is gone, which ends every job.
        }
    }

    void hasBegun() {
        synchronized (this) {
            state = JobState.RUNNING;
            if (isCancelled) {
                send(isKillDue ? "KILL" : "TERM");
            }
        }
        listener.onEvent(new JobEvent.Running(this, "localhost"));
    }

    void hasEnded(int code) {
        end(JobTermination.exited(code));
    }

    void isLost() {
        end(JobTermination.lost("the starter has ended before the job"));
    }

    private void end(JobTermination byItself) {
        JobTermination end;
        synchronized (this) {
            end = isCancelled ? JobTermination.cancelled(byItself.exitCode()) : byItself;
            state = end.state();
        }
        listener.onEvent(new JobEvent.Ended(this, end));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String id() {
        return directory.path().toString();
    }

    @Override
    public JobState state() {
        return state;
    }

    @Override
    public List<String> logs(int lastLines) {
        try {
            return directory.lastLines(lastLines);
        } catch (IOException e) {
            throw new BackendUnavailableException("What job " + name + " wrote cannot be read: " + e.getMessage(), e);
        }
    }
}
