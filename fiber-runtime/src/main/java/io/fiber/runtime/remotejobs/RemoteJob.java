// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.remotejobs;

import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobState;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A job that this process's master, or a master above it, has submitted. Thread-safe. */
final class RemoteJob implements Job {

    private final RemoteJobBackend backend;
    private final String name;
    private final JobListener listener;
    private volatile String id = "";
    private volatile JobState state = JobState.QUEUED;

    RemoteJob(RemoteJobBackend backend, String name, JobListener listener) {
        this.backend = backend;
        this.name = name;
        this.listener = listener;
    }

    /**
     * Sets the platform's id. The master's first message about this job has it, so no caller sees the job without one.
     */
    void named(String platformId) {
        id = platformId;
    }

    void onEvent(JobEvent event) {
        if (event instanceof JobEvent.Running) {
            state = JobState.RUNNING;
        } else if (event instanceof JobEvent.Ended ended) {
            state = ended.termination().state();
        }
        listener.onEvent(event);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public JobState state() {
        return state;
    }

    @Override
    public void cancel(Duration grace) {
        if (grace.isNegative()) {
            throw new IllegalArgumentException("grace is " + grace + "; expected zero or more.");
        }
        if (!state.isFinal()) {
            backend.cancel(name, wholeMs(grace));
        }
    }

    /** Rounds up, because a grace of less than a millisecond is not zero. */
    private static long wholeMs(Duration grace) {
        long ms = TimeUnit.MILLISECONDS.convert(grace);
        return ms == 0 && !grace.isZero() ? 1 : ms;
    }

    @Override
    public List<String> logs(int lastLines) {
        if (lastLines < 0) {
            throw new IllegalArgumentException("lastLines is " + lastLines + "; expected 0 or more.");
        }
        return backend.logs(name, lastLines);
    }

    @Override
    public String toString() {
        return "RemoteJob[" + name + ", " + id + ", " + state + "]";
    }
}
