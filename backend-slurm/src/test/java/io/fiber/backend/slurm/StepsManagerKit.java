// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.FiberBuilder;
import io.fiber.tck.ManagerTck;

/** The contract of managers between steps of one job. {@link SlurmClusterTest} runs it as such a job. */
class StepsManagerKit extends ManagerTck {

    @Override
    protected FiberBuilder session() {
        return KitFiber.inside();
    }
}
