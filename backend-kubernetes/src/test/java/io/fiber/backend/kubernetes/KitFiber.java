// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fiber.Fiber;
import io.fiber.FiberBuilder;

/** Sessions whose workers are pods of a real cluster. */
final class KitFiber {

    private KitFiber() {}

    /** Returns a builder of sessions whose workers have little memory. */
    static FiberBuilder builder() {
        return builder("128m");
    }

    static FiberBuilder builder(String memory) {
        return Fiber.builder()
                .backend("kubernetes")
                .transport("aeron")
                .set("fiber.kubernetes.image", TestCluster.IMAGE)
                .set("fiber.kubernetes.memory", memory);
    }
}
