// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.spi.Options;

/** A real cluster over SSH for a JVM that is killed, whose gate would be gone with it. Public, because that JVM makes it. */
public final class SshMasterFixture extends SlurmFixture {

    public SshMasterFixture() {}

    @Override
    public Options options() {
        return SshFixture.options(SshFixture.directoryOfLogin().resolve("config"));
    }
}
