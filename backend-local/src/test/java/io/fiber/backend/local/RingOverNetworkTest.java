// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.Fiber;

/** The same rings, sealed and over UDP, as between hosts. */
class RingOverNetworkTest extends RingTest {

    @Override
    Fiber open() {
        return LocalFiber.builder().set("fiber.aeron.media", "udp").open();
    }
}
