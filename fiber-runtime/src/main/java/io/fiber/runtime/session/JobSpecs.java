// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import io.fiber.runtime.platform.ClassPathSnapshot;
import io.fiber.spi.backend.JobSpec;

/** Says how workers are started. Thread-safe. */
@FunctionalInterface
interface JobSpecs {

    /**
     * Returns what is asked of workers, and how they are started.
     *
     * @param workers how many this process has or asks for, the new ones included
     */
    JobSpec of(JobSpec wanted, int workers);

    /** Returns the same for a process that a worker asks for. */
    default JobSpec ofNested(JobSpec wanted) {
        return of(wanted, 1);
    }

    /**
     * Refuses what cannot be asked of workers.
     *
     * @throws io.fiber.ConfigurationException if an option of the backend is wrong
     */
    default void check(JobSpec wanted) {}

    /** Returns the files of the program's class path as they were when it opened its first session. */
    default ClassPathSnapshot classPath() {
        return ClassPathSnapshot.NONE;
    }

    /** Makes what lets later workers start sooner, if there is such a thing. */
    default void train() {}

    /** Waits some seconds for what {@link #train} makes. */
    default void awaitTraining() {}
}
