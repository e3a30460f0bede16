// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

/** The two ends of a connection. */
enum Role {
    MASTER,
    WORKER;

    Role peer() {
        return this == MASTER ? WORKER : MASTER;
    }
}
