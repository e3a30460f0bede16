// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.session;

import io.fiber.FiberBuilder;
import org.junit.jupiter.api.Nested;

/**
 * Tests what queues promise, with real processes of a backend. A backend's module extends this class and implements
 * {@link #session}, which opens a session on it. The kit's classes must be on the class path of its workers. Each group
 * of tests opens one session.
 */
public abstract class QueueTck {

    /** Returns a builder of a session on the backend under test. */
    protected abstract FiberBuilder session();

    @Nested
    class Items extends QueueItemsContract {
        @Override
        FiberBuilder session() {
            return QueueTck.this.session();
        }
    }

    @Nested
    class Waits extends QueueWaitsContract {
        @Override
        FiberBuilder session() {
            return QueueTck.this.session();
        }
    }

    @Nested
    class Deaths extends QueueDeathsContract {
        @Override
        FiberBuilder session() {
            return QueueTck.this.session();
        }
    }
}
