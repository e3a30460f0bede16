// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.FiberBuilder;
import io.fiber.tck.session.QueueTck;
import org.junit.jupiter.api.Tag;

/** The same queues, sealed and over UDP, as between hosts. */
@Tag("soak")
class QueueOverNetworkTckTest extends QueueTck {

    @Override
    protected FiberBuilder session() {
        return LocalFiber.builder().set("fiber.aeron.media", "udp");
    }
}
