// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import io.fiber.runtime.process.JobChoices;
import io.fiber.spi.Resources;
import io.fiber.spi.backend.JobSpec;

/** Says how workers are started. Thread-safe. */
@FunctionalInterface
interface JobSpecs {

    /**
     * Returns the spec of workers that need these resources and get this beside them.
     *
     * @param workers how many this process has or asks for, the new ones included
     */
    JobSpec of(Resources resources, JobChoices choices, int workers);

    /**
     * Refuses choices that no spec can have.
     *
     * @throws io.fiber.ConfigurationException when an option of the backend is wrong
     */
    default void check(JobChoices choices) {}

    /** Makes what lets later workers start sooner, if there is such a thing. */
    default void train() {}
}
