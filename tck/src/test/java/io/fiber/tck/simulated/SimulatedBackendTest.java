// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.simulated;

import io.fiber.tck.backend.BackendFixture;
import io.fiber.tck.backend.BackendTck;

final class SimulatedBackendTest extends BackendTck {
    @Override
    protected BackendFixture createFixture() {
        return new SimulatedFixture();
    }
}
