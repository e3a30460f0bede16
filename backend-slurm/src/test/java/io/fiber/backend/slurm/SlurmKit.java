// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.tck.backend.BackendFixture;
import io.fiber.tck.backend.BackendTck;

/** The contract of a backend, kept by this one. {@link SlurmClusterTest} runs it as the user of a cluster. */
class SlurmKit extends BackendTck {
    @Override
    protected BackendFixture createFixture() {
        return new SlurmFixture();
    }
}
