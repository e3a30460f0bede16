// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import java.time.Duration;
import java.util.List;

/** One submitted job. No method blocks except {@link #logs}. Thread-safe. */
public interface Job {

    /** Returns the job's name, as in the submission. */
    String name();

    /**
     * Returns the platform's id of the job: a process id, a container id, the name of a pod, a Slurm {@code
     * jobid_task}.
     *
     * @implSpec Unique among the live jobs of the platform; never changes. (BKD-204)
     */
    String id();

    /** Returns the last state that was sent to the listener, {@link JobState#QUEUED} before the first event. */
    JobState state();

    /**
     * Asks the job to end. If it has not ended after {@code grace}, it is killed with everything it started; a grace of
     * zero kills it at once. The listener receives the end. A job that has already ended is not changed.
     *
     * @implSpec Returns at once, even in a thread that is delivering an event. A second call may shorten the grace, but
     *     never extend it; a grace may be as long as a {@link Duration}. A queued job never runs. (BKD-301 to BKD-312)
     */
    void cancel(Duration grace);

    /**
     * Returns the last lines that the job wrote to standard output and standard error, at most {@code lastLines},
     * oldest first, as an immutable list. A job that never ran has none. Works after the job has ended, until the
     * backend is closed. May ask the cluster and therefore block for a second or two.
     *
     * @throws UnsupportedOperationException if the backend does not declare {@link Capability#LOGS}
     * @throws BackendUnavailableException if the cluster cannot be asked now
     */
    List<String> logs(int lastLines);
}
