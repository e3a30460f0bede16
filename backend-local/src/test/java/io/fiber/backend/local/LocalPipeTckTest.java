// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.FiberBuilder;
import io.fiber.tck.session.PipeTck;
import org.junit.jupiter.api.Tag;

/** Pipes between the session and its child processes, over socket files. */
@Tag("slow")
class LocalPipeTckTest extends PipeTck {

    @Override
    protected FiberBuilder session() {
        return LocalFiber.builder("socket");
    }
}
