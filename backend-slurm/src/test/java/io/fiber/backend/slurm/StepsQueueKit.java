// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.FiberBuilder;
import io.fiber.tck.QueueTck;

/** The contract of queues between steps of one job. {@link SlurmClusterTest} runs it as such a job. */
class StepsQueueKit extends QueueTck {

    @Override
    protected FiberBuilder session() {
        return KitFiber.inside();
    }
}
