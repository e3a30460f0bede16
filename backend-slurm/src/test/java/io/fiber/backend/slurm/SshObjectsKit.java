// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.FiberBuilder;
import io.fiber.tck.session.ObjectsTck;

/**
 * Queues, pipes, managers and rings between jobs of a cluster and a program outside of it. {@link SshClusterTest} runs it on a
 * workstation.
 */
class SshObjectsKit extends ObjectsTck {

    @Override
    protected FiberBuilder session() {
        return OutsideFiber.builder();
    }
}
