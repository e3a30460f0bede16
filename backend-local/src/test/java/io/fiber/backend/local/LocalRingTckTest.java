// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.FiberBuilder;
import io.fiber.tck.session.RingTck;
import org.junit.jupiter.api.Tag;

/** Rings between the session and its child processes, over socket files. */
@Tag("slow")
class LocalRingTckTest extends RingTck {

    @Override
    protected FiberBuilder session() {
        return LocalFiber.builder("socket");
    }
}
