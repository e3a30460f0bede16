// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.spi.backend.JobSpec;
import java.time.Duration;

/** What is different when Slurm is used from another host than this one. Thread-safe. */
interface Remote extends AutoCloseable {

    /** Returns the spec as nodes can run it, after files of this host were put where nodes see them. */
    JobSpec staged(JobSpec spec);

    /** Returns the spec as {@link #staged} does; nothing is put anywhere. */
    JobSpec asStaged(JobSpec spec);

    /** Returns the host by whose network this one is reached. */
    String host();

    /** From now on nothing is waited for when that host cannot be reached, and after this limit nothing at all. */
    void leave(Duration limit);

    @Override
    void close();
}
