// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.Fiber;
import org.junit.jupiter.api.Tag;

/** The same rings, sealed and over UDP, as between hosts. */
@Tag("soak")
class RingOverNetworkTest extends RingTest {

    @Override
    Fiber open() {
        return LocalFiber.builder().set("fiber.aeron.media", "udp").open();
    }
}
