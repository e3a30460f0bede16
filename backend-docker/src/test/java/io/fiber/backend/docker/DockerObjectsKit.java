// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import io.fiber.FiberBuilder;
import io.fiber.tck.session.ObjectsTck;

/** Queues, pipes, managers and rings between containers. {@link DockerEngineTest} runs it beside a real engine. */
class DockerObjectsKit extends ObjectsTck {

    @Override
    protected FiberBuilder session() {
        return KitFiber.builder();
    }
}
