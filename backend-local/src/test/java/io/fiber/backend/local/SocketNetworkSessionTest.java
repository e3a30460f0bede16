// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.FiberBuilder;

/** The same, sealed and over TCP, as between hosts. */
class SocketNetworkSessionTest extends SocketSessionTest {

    @Override
    FiberBuilder builder() {
        return super.builder().set("socket.media", "tcp");
    }
}
