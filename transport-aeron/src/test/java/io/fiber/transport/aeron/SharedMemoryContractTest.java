// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.fiber.tck.transport.TransportFixture;
import io.fiber.tck.transport.TransportTck;

final class SharedMemoryContractTest extends TransportTck {
    @Override
    protected TransportFixture createFixture() {
        return new AeronContractFixture();
    }
}
