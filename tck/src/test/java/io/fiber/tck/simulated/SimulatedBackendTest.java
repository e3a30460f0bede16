// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.simulated;

import io.fiber.tck.BackendFixture;
import io.fiber.tck.BackendTck;

final class SimulatedBackendTest extends BackendTck {
    @Override
    protected BackendFixture createFixture() {
        return new SimulatedFixture();
    }
}
