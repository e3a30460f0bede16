// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.FiberBuilder;
import io.fiber.tck.PipeTck;

/** The contract of pipes between jobs of a cluster. {@link SlurmClusterTest} runs it as the user of a cluster. */
class SlurmPipeKit extends PipeTck {

    @Override
    protected FiberBuilder session() {
        return KitFiber.builder();
    }
}
