// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import io.fiber.FiberBuilder;
import io.fiber.tck.QueueTck;

/** The contract of queues between containers. {@link DockerEngineTest} runs it beside a real engine. */
class DockerQueueKit extends QueueTck {

    @Override
    protected FiberBuilder session() {
        return KitFiber.builder();
    }
}
