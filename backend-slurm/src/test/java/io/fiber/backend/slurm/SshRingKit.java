// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.FiberBuilder;
import io.fiber.tck.RingTck;

/** The contract of rings between jobs of a cluster and a program outside of it. {@link SshClusterTest} runs it on a workstation. */
class SshRingKit extends RingTck {

    @Override
    protected FiberBuilder session() {
        return OutsideFiber.builder();
    }
}
