// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.FiberBuilder;
import io.fiber.tck.session.ObjectsTck;
import org.junit.jupiter.api.Tag;

/** What queues, pipes, managers and rings promise, sealed and over TCP, as between hosts. */
@Tag("soak")
class ObjectsOverTcpTckTest extends ObjectsTck {

    @Override
    protected FiberBuilder session() {
        return LocalFiber.builder("socket").set("socket.media", "tcp");
    }
}
