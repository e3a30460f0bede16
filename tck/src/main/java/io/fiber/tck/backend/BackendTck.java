// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import org.junit.jupiter.api.Nested;

/**
 * The contract of backends as tests, one for each clause {@code BKD-nnn} of {@code docs/backend-contract.md}. A
 * backend's module extends this class and implements {@link #createFixture}, which says how to reach its platform.
 * Every group of clauses is then run.
 */
public abstract class BackendTck {

    /** Returns a new fixture. Called once for each test. */
    protected abstract BackendFixture createFixture();

    @Nested
    class Provider extends ProviderContract {
        @Override
        BackendFixture createFixture() {
            return BackendTck.this.createFixture();
        }
    }

    @Nested
    class Submission extends SubmissionContract {
        @Override
        BackendFixture createFixture() {
            return BackendTck.this.createFixture();
        }
    }

    @Nested
    class Cancellation extends CancellationContract {
        @Override
        BackendFixture createFixture() {
            return BackendTck.this.createFixture();
        }
    }

    @Nested
    class Events extends EventsContract {
        @Override
        BackendFixture createFixture() {
            return BackendTck.this.createFixture();
        }
    }

    @Nested
    class Capabilities extends CapabilityContract {
        @Override
        BackendFixture createFixture() {
            return BackendTck.this.createFixture();
        }
    }

    @Nested
    class Bootstrap extends BootstrapContract {
        @Override
        BackendFixture createFixture() {
            return BackendTck.this.createFixture();
        }
    }

    @Nested
    class Logs extends LogsContract {
        @Override
        BackendFixture createFixture() {
            return BackendTck.this.createFixture();
        }
    }

    @Nested
    class Close extends BackendCloseContract {
        @Override
        BackendFixture createFixture() {
            return BackendTck.this.createFixture();
        }
    }

    @Nested
    class Detached extends DetachedContract {
        @Override
        BackendFixture createFixture() {
            return BackendTck.this.createFixture();
        }
    }

    @Nested
    class World extends WorldContract {
        @Override
        BackendFixture createFixture() {
            return BackendTck.this.createFixture();
        }
    }

    @Nested
    class Threads extends CallerThreadsContract {
        @Override
        BackendFixture createFixture() {
            return BackendTck.this.createFixture();
        }
    }

    @Nested
    class Platform extends PlatformContract {
        @Override
        BackendFixture createFixture() {
            return BackendTck.this.createFixture();
        }
    }

    @Nested
    class Orphans extends OrphanContract {
        @Override
        BackendFixture createFixture() {
            return BackendTck.this.createFixture();
        }
    }
}
