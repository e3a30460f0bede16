// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import io.fiber.FiberBuilder;
import io.fiber.tck.RingTck;

/** The contract of rings between containers. {@link DockerEngineTest} runs it beside a real engine. */
class DockerRingKit extends RingTck {

    @Override
    protected FiberBuilder session() {
        return KitFiber.builder();
    }
}
