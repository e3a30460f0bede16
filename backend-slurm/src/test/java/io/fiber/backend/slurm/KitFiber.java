// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import java.nio.file.Path;

/** Sessions whose workers are jobs of a real cluster, in small pieces of its memory. */
final class KitFiber {

    /** Of a worker that runs: on a machine that does much else its start has taken more than the minute of the default. */
    static final String START_LIMIT = "150s";

    private KitFiber() {}

    /** Returns a builder; the directory for temporary files of this JVM is one that all nodes see. */
    static FiberBuilder builder() {
        return builderIn(sharedDirectory());
    }

    /** Returns such a builder whose jobs have so much memory. */
    static FiberBuilder builder(String memory) {
        return builder(sharedDirectory(), memory);
    }

    /** Returns such a builder whose files of jobs lie in this directory. */
    static FiberBuilder builderIn(Path directory) {
        return builder(directory, "128m");
    }

    private static FiberBuilder builder(Path directory, String memory) {
        return Fiber.builder()
                .backend("slurm")
                .transport("aeron")
                .set("fiber.start-limit", START_LIMIT)
                .set("fiber.cds", "false")
                .set("fiber.slurm.directory", directory.toString())
                .set("fiber.slurm.memory", memory);
    }

    /** Returns a builder for a program that is itself a job: the backend is chosen by that, memory is what a task has. */
    static FiberBuilder inside() {
        return Fiber.builder()
                .set("fiber.start-limit", START_LIMIT)
                .set("fiber.cds", "false")
                .set("fiber.slurm.directory", sharedDirectory().toString());
    }

    static Path sharedDirectory() {
        return Path.of(System.getProperty("java.io.tmpdir"), "shared");
    }
}
