// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.broken;

import io.fiber.tck.transport.TransportFixture;
import io.fiber.tck.transport.TransportTck;

/** The kit of transports as {@link BrokenTransportTest} runs it, once for each bug. */
final class BuggyTransportKit extends TransportTck {
    @Override
    protected TransportFixture createFixture() {
        return new BuggyTransportFixture(Selection.bug(TransportBug.class));
    }
}
