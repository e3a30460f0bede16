// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck;

import io.fiber.FiberBuilder;
import org.junit.jupiter.api.Nested;

/**
 * What queues promise, as tests with real processes of a backend: a backend's module extends this class and says by
 * {@link #session} how a session on it is opened. Classes of the kit must be on the class path of its workers. Each group
 * of tests opens one session.
 */
public abstract class QueueTck {

    /** Returns a builder of a session on the backend that is tested. */
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
