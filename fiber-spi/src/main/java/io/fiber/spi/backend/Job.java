// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import java.time.Duration;
import java.util.List;

/** One job that was submitted. Thread-safe; no method blocks, {@link #logs} excepted. */
public interface Job {

    /** Returns the job's name, as the submission gave it. */
    String name();

    /**
     * Returns the job's id as the platform gives it: an operating-system pid, a container id, a pod's name, a Slurm
     * {@code jobid_task}.
     *
     * @implSpec Unique among the living jobs of the platform; never changes. (BKD-204)
     */
    String id();

    /** Returns the last state that was pushed to the listener, {@link JobState#QUEUED} before the first. */
    JobState state();

    /**
     * Asks the job to end and, when it has not after {@code grace}, ends it by force with everything it started. Zero
     * ends it by force at once. The listener hears of the end; a job that has ended stays as it is.
     *
     * @implSpec Returns at once, also in a thread that tells an event. A second call may shorten the grace, never extend it; a
     *     grace may be as long as a {@link Duration}. A queued job never runs. (BKD-301 to BKD-312)
     */
    void cancel(Duration grace);

    /**
     * Returns the last lines that the job wrote to standard output and standard error, at most {@code lastLines}, oldest
     * first; a list that does not change. Works also after the end, until the backend is closed, and returns no line of a job
     * that never ran. May ask the cluster and so block for a second or two.
     *
     * @throws UnsupportedOperationException when the backend does not declare {@link Capability#LOGS}
     * @throws BackendUnavailableException when the cluster cannot be asked now
     */
    List<String> logs(int lastLines);
}
