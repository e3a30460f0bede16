// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.FiberBuilder;
import io.fiber.tck.session.ObjectsTck;

/** Queues, pipes, managers and rings between steps of one job. {@link SlurmClusterTest} runs it as such a job. */
class StepsObjectsKit extends ObjectsTck {

    @Override
    protected FiberBuilder session() {
        return KitFiber.inside();
    }
}
