// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.gridengine;

import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import java.nio.file.Path;

/** Sessions whose workers are jobs of the cell. */
final class KitFiber {

    private KitFiber() {}

    /** Returns a builder; the directory for temporary files of this JVM is one that all nodes see. */
    static FiberBuilder builder() {
        return Fiber.builder()
                .backend("gridengine")
                // On a machine that does much else, a start has taken more than the minute of the default.
                .set("fiber.start-limit", "150s")
                .set("fiber.cds", "false")
                .set("fiber.worker.jvm-options", "-Xmx64m")
                .set("fiber.gridengine.directory", directory().toString());
    }

    static Path directory() {
        return Path.of(System.getProperty("java.io.tmpdir"), "shared");
    }
}
