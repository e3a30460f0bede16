// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import java.nio.file.Path;

/** Sessions of a program on a workstation, whose workers are jobs of a real cluster that is reached by SSH. */
final class OutsideFiber {

    /** The system property that names the directory on the login node. */
    static final String DIRECTORY = "kit.directory";

    private OutsideFiber() {}

    /** Returns a builder; all sessions of this JVM have one directory, so that the class path is sent once. */
    static FiberBuilder builder() {
        return builderIn(System.getProperty(DIRECTORY)).set("fiber.start-limit", KitFiber.START_LIMIT);
    }

    /** Returns a builder of sessions with this directory on the login node. */
    static FiberBuilder builderIn(String directory) {
        return Fiber.builder()
                .backend("slurm")
                .transport("socket")
                .set("fiber.slurm.ssh-host", "login")
                .set(
                        "fiber.slurm.ssh-config",
                        SshFixture.directoryOfLogin().resolve("config").toString())
                .set(
                        "fiber.slurm.java",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString())
                .set("fiber.slurm.directory", directory)
                .set("fiber.slurm.memory", "128m");
    }
}
