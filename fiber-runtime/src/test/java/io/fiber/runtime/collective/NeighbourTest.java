// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.collective;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.Connection;
import io.fiber.EndOfStreamException;
import io.fiber.FiberException;
import io.fiber.PeerLostException;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

class NeighbourTest {

    @SuppressWarnings("unchecked") // it neither sends nor receives anything
    private static Neighbour whoseEndThrows(FiberException failure) {
        Connection<Object, Object> end = (Connection<Object, Object>) Proxy.newProxyInstance(
                NeighbourTest.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    throw failure;
                });
        return new Neighbour(end, new Exchange.Position("ring-1", 1, 3), 2);
    }

    @Test
    void endOfTheStreamIsTheLossOfTheNeighbour() {
        assertThatThrownBy(() -> whoseEndThrows(new EndOfStreamException("FBR-450", "No more messages will arrive."))
                        .receiveBytes())
                .isInstanceOf(PeerLostException.class)
                .hasMessage("FBR-461 Rank 2, a neighbour of rank 1 of ring 'ring-1', is gone or has closed its end:"
                        + " FBR-450 No more messages will arrive.");
    }

    @Test
    void soIsAnEndOfWhichTheLastIsMissing() {
        assertThatThrownBy(() -> whoseEndThrows(new FiberException("FBR-457", "Its last is missing."))
                        .receive())
                .isInstanceOf(PeerLostException.class)
                .hasMessageEndingWith("is gone or has closed its end: FBR-457 Its last is missing.");
    }

    @Test
    void whatElseFailsIsNoLoss() {
        FiberException other = new FiberException("FBR-456", "The next message is bytes.");

        assertThatThrownBy(() -> whoseEndThrows(other).receive()).isSameAs(other);
    }
}
