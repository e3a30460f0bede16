// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.session;

import static java.util.Objects.requireNonNull;

import io.fiber.Manager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A session with a manager for a group of tests. */
abstract class ManagerContract extends SessionContract {

    private @Nullable Manager manager;

    @BeforeAll
    void startManager() {
        manager = fiber().manager();
    }

    @AfterAll
    void closeManager() {
        if (manager != null) {
            manager.close();
        }
    }

    final Manager manager() {
        return requireNonNull(manager);
    }
}
