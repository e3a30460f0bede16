// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.FiberBuilder;
import io.fiber.tck.session.ManagerTck;
import org.junit.jupiter.api.Tag;

/** Managers with workers that are child processes, over socket files. */
@Tag("slow")
class LocalManagerTckTest extends ManagerTck {

    @Override
    protected FiberBuilder session() {
        return LocalFiber.builder("socket");
    }
}
