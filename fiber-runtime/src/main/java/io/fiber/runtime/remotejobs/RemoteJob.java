// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.remotejobs;

import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobState;
import java.time.Duration;
import java.util.List;

/** A job that this process's master, or a master above it, has submitted. Thread-safe. */
final class RemoteJob implements Job {

    private final RemoteSubmission submission;
    private final int index;
    private final String name;
    private volatile String id = "";
    private volatile JobState state = JobState.QUEUED;

    RemoteJob(RemoteSubmission submission, int index, String name) {
        this.submission = submission;
        this.index = index;
        this.name = name;
    }

    /**
     * Sets the platform's id; the first word of the master about this job has it, so no caller sees the job without.
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
            submission.cancel(index, grace);
        }
    }

    @Override
    public List<String> logs(int lastLines) {
        if (lastLines < 0) {
            throw new IllegalArgumentException("lastLines is " + lastLines + "; expected 0 or more.");
        }
        return submission.logs(index, lastLines);
    }

    @Override
    public String toString() {
        return "RemoteJob[" + name + ", " + id + ", " + state + "]";
    }
}
