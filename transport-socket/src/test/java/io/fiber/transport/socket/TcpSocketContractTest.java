// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

import io.fiber.tck.transport.TransportFixture;
import io.fiber.tck.transport.TransportTck;
import org.junit.jupiter.api.Tag;

@Tag("slow")
final class TcpSocketContractTest extends TransportTck {
    @Override
    protected TransportFixture createFixture() {
        return new SocketNetworkContractFixture();
    }
}
