// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck;

import io.fiber.FiberBuilder;
import org.junit.jupiter.api.Nested;

/**
 * What pipes promise, as tests with real processes of a backend: a backend's module extends this class and says by
 * {@link #session} how a session on it is opened. Classes of the kit must be on the class path of its workers. Each group
 * of tests opens one session.
 */
public abstract class PipeTck {

    /** Returns a builder of a session on the backend that is tested. */
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
