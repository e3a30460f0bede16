// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.FiberBuilder;
import io.fiber.tck.ManagerTck;
import io.fiber.tck.PipeTck;
import io.fiber.tck.QueueTck;
import io.fiber.tck.RingTck;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** What queues, pipes, managers and rings promise, sealed and over TCP, as between hosts. */
@Tag("soak")
class ObjectsOverTcpTckTest {

    static FiberBuilder builder() {
        return LocalFiber.builder("socket").set("socket.media", "tcp");
    }

    @Nested
    class Queues extends QueueTck {
        @Override
        protected FiberBuilder session() {
            return builder();
        }
    }

    @Nested
    class Pipes extends PipeTck {
        @Override
        protected FiberBuilder session() {
            return builder();
        }
    }

    @Nested
    class Managers extends ManagerTck {
        @Override
        protected FiberBuilder session() {
            return builder();
        }
    }

    @Nested
    class Rings extends RingTck {
        @Override
        protected FiberBuilder session() {
            return builder();
        }
    }
}
