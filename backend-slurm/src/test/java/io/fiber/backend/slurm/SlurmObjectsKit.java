// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.FiberBuilder;
import io.fiber.tck.session.ObjectsTck;

/** Queues, pipes, managers and rings between jobs of a cluster. {@link SlurmClusterTest} runs it as the user of a cluster. */
class SlurmObjectsKit extends ObjectsTck {

    @Override
    protected FiberBuilder session() {
        return KitFiber.builder();
    }
}
