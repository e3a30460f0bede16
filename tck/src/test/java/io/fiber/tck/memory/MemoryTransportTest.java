// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.memory;

import io.fiber.tck.transport.TransportFixture;
import io.fiber.tck.transport.TransportTck;

final class MemoryTransportTest extends TransportTck {
    @Override
    protected TransportFixture createFixture() {
        return new MemoryTransportFixture();
    }
}
