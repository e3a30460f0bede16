// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fiber.FiberBuilder;
import io.fiber.tck.session.ObjectsTck;

/**
 * Queues, pipes, managers and rings between pods. {@link KubernetesClusterTest} runs it beside a real cluster, and in
 * a pod of it.
 */
class KubernetesObjectsKit extends ObjectsTck {

    @Override
    protected FiberBuilder session() {
        return KitFiber.builder();
    }
}
