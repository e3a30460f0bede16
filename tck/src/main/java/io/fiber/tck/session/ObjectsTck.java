// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.session;

import io.fiber.FiberBuilder;
import org.junit.jupiter.api.Nested;

/**
 * Tests what all objects promise that processes share, with real processes of a backend: {@link QueueTck}, {@link
 * PipeTck}, {@link ManagerTck} and {@link RingTck} in one. Takes minutes. Up to nine jobs run at the same time: with
 * fewer slots, a test waits for ever.
 */
public abstract class ObjectsTck {

    /** Returns a builder of a session on the backend under test. */
    protected abstract FiberBuilder session();

    @Nested
    class Queues extends QueueTck {
        @Override
        protected FiberBuilder session() {
            return ObjectsTck.this.session();
        }
    }

    @Nested
    class Pipes extends PipeTck {
        @Override
        protected FiberBuilder session() {
            return ObjectsTck.this.session();
        }
    }

    @Nested
    class Managers extends ManagerTck {
        @Override
        protected FiberBuilder session() {
            return ObjectsTck.this.session();
        }
    }

    @Nested
    class Rings extends RingTck {
        @Override
        protected FiberBuilder session() {
            return ObjectsTck.this.session();
        }
    }
}
