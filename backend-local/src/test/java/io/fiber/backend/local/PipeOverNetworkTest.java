// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.Fiber;

/** The same pipes, sealed and over UDP, as between hosts. */
class PipeOverNetworkTest extends PipeTest {

    @Override
    Fiber open() {
        return LocalFiber.builder().set("fiber.aeron.media", "udp").open();
    }
}
