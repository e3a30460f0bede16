// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.FiberBuilder;
import io.fiber.Pool;
import io.fiber.tck.session.WorkerKillersTck;
import java.util.Objects;

/** What ends its workers ends few jobs. {@link SlurmClusterTest} runs it as the user of a cluster. */
class SlurmWorkerKillersKit extends WorkerKillersTck {

    @Override
    protected FiberBuilder session(String memory) {
        return KitFiber.builder(memory);
    }

    /** Slurm knows jobs for some minutes after their end. A job is named by its session and a number. */
    @Override
    protected long jobs(Pool pool) {
        String name = pool.apply(() -> Objects.requireNonNull(System.getenv("SLURM_JOB_NAME")));
        String session = name.substring(0, name.lastIndexOf('-') + 1);
        return Cluster.run("squeue", "-h", "-r", "--me", "-t", "all", "-o", "%j")
                .lines()
                .filter(job -> job.startsWith(session))
                .count();
    }
}
