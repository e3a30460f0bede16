// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fiber.FiberBuilder;
import io.fiber.tck.PipeTck;

/** The contract of pipes between pods. {@link KubernetesClusterTest} runs it beside a real cluster. */
class KubernetesPipeKit extends PipeTck {

    @Override
    protected FiberBuilder session() {
        return KitFiber.builder();
    }
}
