// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck;

import org.junit.jupiter.api.Nested;

/**
 * The contract of a backend as tests, one for each clause {@code BKD-nnn} of {@code docs/backend-contract.md}. A backend's
 * module extends this class and says by {@link #createFixture} how its platform is reached; every group of clauses is then
 * run.
 */
public abstract class BackendTck {

    /** Returns a new fixture; called once for each test. */
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
    class Orphans extends OrphanContract {
        @Override
        BackendFixture createFixture() {
            return BackendTck.this.createFixture();
        }
    }
}
