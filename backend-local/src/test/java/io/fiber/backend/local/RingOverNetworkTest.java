// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.FiberBuilder;
import org.junit.jupiter.api.Tag;

/** The same rings, sealed and over UDP, as between hosts. */
@Tag("soak")
class RingOverNetworkTest extends RingTest {

    @Override
    FiberBuilder builder() {
        return LocalFiber.builder().set("fiber.aeron.media", "udp");
    }
}
