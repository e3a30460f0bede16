// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.FiberBuilder;
import io.fiber.tck.PipeTck;

/** The contract of pipes between steps of one job. {@link SlurmClusterTest} runs it as such a job. */
class StepsPipeKit extends PipeTck {

    @Override
    protected FiberBuilder session() {
        return KitFiber.inside();
    }
}
