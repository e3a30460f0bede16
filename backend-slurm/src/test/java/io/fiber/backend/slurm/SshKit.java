// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.tck.backend.BackendFixture;
import io.fiber.tck.backend.BackendTck;

/** The contract of a backend, kept over SSH. {@link SshClusterTest} runs it as the user of a cluster. */
class SshKit extends BackendTck {
    @Override
    protected BackendFixture createFixture() {
        return new SshFixture();
    }
}
