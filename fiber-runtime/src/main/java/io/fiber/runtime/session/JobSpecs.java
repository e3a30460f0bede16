// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import io.fiber.runtime.platform.ClassPathSnapshot;
import io.fiber.spi.backend.JobSpec;

/** Determines how workers are started. Thread-safe. */
@FunctionalInterface
interface JobSpecs {

    /**
     * Returns the job of workers, and how they are started.
     *
     * @param workers number of workers that this process has or requests, including the new ones
     */
    JobSpec of(JobSpec wanted, int workers);

    /** Returns the same for a process that a worker requests. */
    default JobSpec ofNested(JobSpec wanted) {
        return of(wanted, 1);
    }

    /**
     * Rejects requests that workers cannot fulfil.
     *
     * @throws io.fiber.ConfigurationException if an option of the backend is wrong
     */
    default void check(JobSpec wanted) {}

    /** Returns the state of the files of the program's class path when the program opened its first session. */
    default ClassPathSnapshot classPath() {
        return ClassPathSnapshot.NONE;
    }

    /** Creates the archive with which later workers start faster, if there is one. */
    default void train() {}

    /** Waits some seconds for the archive that {@link #train} creates. */
    default void awaitTraining() {}
}
