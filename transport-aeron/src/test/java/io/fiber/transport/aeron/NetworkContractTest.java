// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.fiber.tck.transport.TransportFixture;
import io.fiber.tck.transport.TransportTck;
import org.junit.jupiter.api.Tag;

@Tag("slow")
final class NetworkContractTest extends TransportTck {
    @Override
    protected TransportFixture createFixture() {
        return new AeronNetworkContractFixture();
    }
}
