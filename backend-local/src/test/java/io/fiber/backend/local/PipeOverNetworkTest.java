// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.Fiber;
import org.junit.jupiter.api.Tag;

/** The same pipes, sealed and over UDP, as between hosts. */
@Tag("soak")
class PipeOverNetworkTest extends PipeTest {

    @Override
    Fiber open() {
        return LocalFiber.builder().set("fiber.aeron.media", "udp").open();
    }
}
