// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.FiberBuilder;
import io.fiber.tck.ManagerTck;

/** The contract of managers between jobs of a cluster and a program outside of it. {@link SshClusterTest} runs it on a workstation. */
class SshManagerKit extends ManagerTck {

    @Override
    protected FiberBuilder session() {
        return OutsideFiber.builder();
    }
}
