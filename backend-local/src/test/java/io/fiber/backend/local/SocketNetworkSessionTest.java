// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.FiberBuilder;
import org.junit.jupiter.api.Tag;

/** The same, sealed and over TCP, as between hosts. */
@Tag("soak")
class SocketNetworkSessionTest extends SocketSessionTest {

    @Override
    FiberBuilder builder() {
        return super.builder().set("socket.media", "tcp");
    }
}
