// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fiber.FiberBuilder;
import io.fiber.tck.ManagerTck;

/** The contract of managers between pods. {@link KubernetesClusterTest} runs it beside a real cluster. */
class KubernetesManagerKit extends ManagerTck {

    @Override
    protected FiberBuilder session() {
        return KitFiber.builder();
    }
}
