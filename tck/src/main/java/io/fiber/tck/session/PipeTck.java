// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.session;

import io.fiber.FiberBuilder;
import org.junit.jupiter.api.Nested;

/**
 * Tests what pipes promise, with real processes of a backend. A backend's module extends this class and implements
 * {@link #session}, which opens a session on it. The kit's classes must be on the class path of its workers. Each group
 * of tests opens one session.
 */
public abstract class PipeTck {

    /** Returns a builder of a session on the backend under test. */
    protected abstract FiberBuilder session();

    @Nested
    class Messages extends PipeMessagesContract {
        @Override
        FiberBuilder session() {
            return PipeTck.this.session();
        }
    }

    @Nested
    class Ends extends PipeEndsContract {
        @Override
        FiberBuilder session() {
            return PipeTck.this.session();
        }
    }
}
