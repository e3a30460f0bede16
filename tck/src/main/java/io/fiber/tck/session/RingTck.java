// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.session;

import io.fiber.FiberBuilder;
import org.junit.jupiter.api.Nested;

/**
 * Tests what rings promise, with real processes of a backend. A backend's module extends this class and implements
 * {@link #session}, which opens a session on it. The kit's classes must be on the class path of its workers. Each group
 * of tests opens one session.
 */
public abstract class RingTck {

    /** Returns a builder of a session on the backend under test. */
    protected abstract FiberBuilder session();

    @Nested
    class Operations extends RingOperationsContract {
        @Override
        FiberBuilder session() {
            return RingTck.this.session();
        }
    }

    @Nested
    class Deaths extends RingDeathsContract {
        @Override
        FiberBuilder session() {
            return RingTck.this.session();
        }
    }
}
