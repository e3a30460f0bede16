// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.simulated;

import io.fiber.tck.backend.BackendFixture;
import io.fiber.tck.backend.BackendTck;
import org.junit.jupiter.api.Tag;

/** The kit with bootstrap bytes that are handed over by a file. */
@Tag("slow")
final class SimulatedBackendByFileTest extends BackendTck {
    @Override
    protected BackendFixture createFixture() {
        SimulatedFixture fixture = new SimulatedFixture();
        fixture.platform().deliverBootstrapBy(SimulatedPlatform.Delivery.FILE);
        return fixture;
    }
}
