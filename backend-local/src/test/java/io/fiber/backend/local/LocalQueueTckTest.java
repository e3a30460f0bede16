// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.FiberBuilder;
import io.fiber.tck.session.QueueTck;
import org.junit.jupiter.api.Tag;

/** Queues between the session and its child processes, over socket files. */
@Tag("slow")
class LocalQueueTckTest extends QueueTck {

    @Override
    protected FiberBuilder session() {
        return LocalFiber.builder("socket");
    }
}
