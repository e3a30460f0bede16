// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.tck.backend.BackendFixture;
import io.fiber.tck.backend.BackendTck;

/** The contract of a backend, kept by steps of one job. {@link SlurmClusterTest} runs it as such a job. */
class StepsKit extends BackendTck {
    @Override
    protected BackendFixture createFixture() {
        return new StepsFixture();
    }
}
