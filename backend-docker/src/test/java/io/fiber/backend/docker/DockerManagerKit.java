// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import io.fiber.FiberBuilder;
import io.fiber.tck.ManagerTck;

/** The contract of managers between containers. {@link DockerEngineTest} runs it beside a real engine. */
class DockerManagerKit extends ManagerTck {

    @Override
    protected FiberBuilder session() {
        return KitFiber.builder();
    }
}
