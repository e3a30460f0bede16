// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.FiberBuilder;
import org.junit.jupiter.api.Tag;

/** The same pipes, sealed and over UDP, as between hosts. */
@Tag("soak")
class PipeOverNetworkTest extends PipeTest {

    @Override
    FiberBuilder builder() {
        return LocalFiber.builder().set("fiber.aeron.media", "udp");
    }
}
