// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pipe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.channel.DirectLink;
import io.fiber.runtime.channel.PartKind;
import io.fiber.runtime.channel.PlainLinks;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.TestLink;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.spi.transport.OfferResult;
import org.junit.jupiter.api.Test;

class PipeReceiverTest {

    private static final int SENT = 200;

    /** One that took all that comes would take for ever where more comes meanwhile, and its process would be silent. */
    @Test
    void closedEndDropsSixtyFourPartsAtATime() {
        TestLink link = TestLink.pair(1024, TestLink.Reach.CONFINED);
        DirectLink sending = PlainLinks.of(link);
        for (int i = 0; i < SENT; i++) {
            assertThat(sending.put(PartKind.BYTES, 1, 1, target -> target.put((byte) 1)))
                    .isEqualTo(OfferResult.ACCEPTED);
        }
        DirectLink arriving = PlainLinks.of(link.peer());
        Endpoint endpoint =
                new Endpoint(unused(), new PipeHandle(new ObjectAddress("s1", ProcessPath.root(), 1000), 1));

        assertThat(endpoint.receiver.dropUntilEnd(arriving)).isFalse();
        assertThat(arriving.poll((kind, remaining, content) -> {}, SENT)).isEqualTo(SENT - 64);
        assertThat(endpoint.receiver.dropUntilEnd(arriving)).isFalse();
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static <T> T unused() {
        return null;
    }

    @Test
    void lostEndSaysThatWhatHasArrivedIsNotTheWhole() {
        assertThat(PipeReceiver.lost("pipe 0/1000"))
                .hasMessage("FBR-457 The other end of pipe 0/1000 was closed before its last messages arrived: its"
                        + " process was killed or cut off. The messages that arrived are not all that were sent.");
    }
}
