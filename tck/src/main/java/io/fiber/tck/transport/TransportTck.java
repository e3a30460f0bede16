// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.transport;

import org.junit.jupiter.api.Nested;

/**
 * The contract of transports as tests, one for each clause {@code TRN-nnn} of {@code docs/transport-contract.md}. A
 * transport's module extends this class and implements {@link #createFixture}, which says how to reach its transport.
 * Every group of clauses is then run.
 */
public abstract class TransportTck {

    /** Returns a new fixture. Called once for each test. */
    protected abstract TransportFixture createFixture();

    @Nested
    class Dial extends DialContract {
        @Override
        TransportFixture createFixture() {
            return TransportTck.this.createFixture();
        }
    }

    @Nested
    class Meeting extends MeetingContract {
        @Override
        TransportFixture createFixture() {
            return TransportTck.this.createFixture();
        }
    }

    @Nested
    class Stranger extends StrangerContract {
        @Override
        TransportFixture createFixture() {
            return TransportTck.this.createFixture();
        }
    }

    @Nested
    class Frames extends FrameContract {
        @Override
        TransportFixture createFixture() {
            return TransportTck.this.createFixture();
        }
    }

    @Nested
    class Pressure extends PressureContract {
        @Override
        TransportFixture createFixture() {
            return TransportTck.this.createFixture();
        }
    }

    @Nested
    class Steadiness extends SteadinessContract {
        @Override
        TransportFixture createFixture() {
            return TransportTck.this.createFixture();
        }
    }

    @Nested
    class Confinement extends ConfinementContract {
        @Override
        TransportFixture createFixture() {
            return TransportTck.this.createFixture();
        }
    }

    @Nested
    class Allocation extends AllocationContract {
        @Override
        TransportFixture createFixture() {
            return TransportTck.this.createFixture();
        }
    }

    @Nested
    class Waiting extends WaitContract {
        @Override
        TransportFixture createFixture() {
            return TransportTck.this.createFixture();
        }
    }

    @Nested
    class Close extends TransportCloseContract {
        @Override
        TransportFixture createFixture() {
            return TransportTck.this.createFixture();
        }
    }
}
