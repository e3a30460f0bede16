// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.gridengine;

import io.fiber.tck.backend.BackendFixture;
import io.fiber.tck.backend.BackendTck;

/** The contract of a backend, kept by this one. {@link GridEngineClusterTest} runs it. */
class GridEngineKit extends BackendTck {
    @Override
    protected BackendFixture createFixture() {
        return new GridEngineFixture();
    }
}
