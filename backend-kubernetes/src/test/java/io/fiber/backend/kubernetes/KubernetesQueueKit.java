// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fiber.FiberBuilder;
import io.fiber.tck.QueueTck;

/** The contract of queues between pods. {@link KubernetesClusterTest} runs it beside a real cluster. */
class KubernetesQueueKit extends QueueTck {

    @Override
    protected FiberBuilder session() {
        return KitFiber.builder();
    }
}
