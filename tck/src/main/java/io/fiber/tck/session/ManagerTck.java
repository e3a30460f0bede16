// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.session;

import io.fiber.FiberBuilder;
import org.junit.jupiter.api.Nested;

/**
 * Tests what managers promise, with real processes of a backend. A backend's module extends this class and implements
 * {@link #session}, which opens a session on it. The kit's classes must be on the class path of its workers. Each group
 * of tests opens one session.
 */
public abstract class ManagerTck {

    /** Returns a builder of a session on the backend under test. */
    protected abstract FiberBuilder session();

    @Nested
    class Collections extends ManagedCollectionsContract {
        @Override
        FiberBuilder session() {
            return ManagerTck.this.session();
        }
    }

    @Nested
    class Locks extends ManagedLocksContract {
        @Override
        FiberBuilder session() {
            return ManagerTck.this.session();
        }
    }

    @Nested
    class Synchronizers extends ManagedSynchronizersContract {
        @Override
        FiberBuilder session() {
            return ManagerTck.this.session();
        }
    }

    @Nested
    class Queues extends ManagedQueuesContract {
        @Override
        FiberBuilder session() {
            return ManagerTck.this.session();
        }
    }

    @Nested
    class OwnObjects extends SharedObjectsContract {
        @Override
        FiberBuilder session() {
            return ManagerTck.this.session();
        }
    }

    @Nested
    class Async extends AsyncObjectsContract {
        @Override
        FiberBuilder session() {
            return ManagerTck.this.session();
        }
    }
}
