// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import io.fiber.FiberBuilder;
import io.fiber.tck.PipeTck;

/** The contract of pipes between containers. {@link DockerEngineTest} runs it beside a real engine. */
class DockerPipeKit extends PipeTck {

    @Override
    protected FiberBuilder session() {
        return KitFiber.builder();
    }
}
