// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.FiberBuilder;
import io.fiber.tck.QueueTck;

/** Queues between the session and its child processes. */
class LocalQueueTckTest extends QueueTck {

    @Override
    protected FiberBuilder session() {
        return LocalFiber.builder();
    }
}
