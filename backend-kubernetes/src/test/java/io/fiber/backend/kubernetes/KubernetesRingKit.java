// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fiber.FiberBuilder;
import io.fiber.tck.RingTck;

/** The contract of rings between pods. {@link KubernetesClusterTest} runs it beside a real cluster. */
class KubernetesRingKit extends RingTck {

    @Override
    protected FiberBuilder session() {
        return KitFiber.builder();
    }
}
