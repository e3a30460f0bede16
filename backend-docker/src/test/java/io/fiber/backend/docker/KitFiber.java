// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import io.fiber.Fiber;
import io.fiber.FiberBuilder;

/** Sessions whose workers are containers of a real engine. */
final class KitFiber {

    private KitFiber() {}

    /** Returns a builder of sessions whose workers have little memory. */
    static FiberBuilder builder() {
        return builder("128m");
    }

    static FiberBuilder builder(String memory) {
        return Fiber.builder()
                .backend("docker")
                .transport("socket")
                .set("fiber.docker.image", TestEngine.IMAGE)
                .set("fiber.docker.network", TestEngine.NETWORK)
                .set("fiber.docker.memory", memory);
    }
}
