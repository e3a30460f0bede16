// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.collective;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.FiberException;
import io.fiber.runtime.channel.PartKind;
import io.fiber.runtime.channel.PlainLinks;
import io.fiber.runtime.pipe.LinkedEnds;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.TestLink;
import org.junit.jupiter.api.Test;

class ExchangeTest {

    private final TestLink toNext = TestLink.pair(1024, TestLink.Reach.CONFINED).room(() -> false);
    private final TestLink ofPrevious = TestLink.pair(1024, TestLink.Reach.CONFINED);
    private final LinkedEnds ends = new LinkedEnds();
    private final Exchange exchange =
            new Exchange(new Exchange.Position("ring-1", 0, 2), ends.raw(toNext), ends.raw(ofPrevious.peer()));

    /** Otherwise both would wait for ever until the other one receives. */
    @Test
    void twoRootsOfOneBroadcastAreTold() {
        Heading theirs = new Heading(Heading.Operation.BROADCAST, 1, 1, 0);
        PlainLinks.of(ofPrevious).put(PartKind.BYTES, Heading.BYTES, Heading.BYTES, theirs::putInto);

        assertThatThrownBy(() -> exchange.run(
                        new Heading(Heading.Operation.BROADCAST, 1, 0, 0),
                        BroadcastFlow.ofRoot(Payload.ofText("mine"))))
                .isInstanceOf(FiberException.class)
                .hasMessageStartingWith("FBR-462 The members of ring 'ring-1' run different operations: rank 0 is in"
                        + " broadcast from rank 0 (operation 1), rank 1 in broadcast from rank 1 (operation 1).");
    }
}
