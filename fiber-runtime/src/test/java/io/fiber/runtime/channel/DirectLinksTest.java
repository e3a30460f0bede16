// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.protocol.TestLink;
import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.OfferResult;
import io.fiber.spi.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DirectLinksTest {

    /** A transport that has one link. */
    private record OneLink(Link link) implements Transport {
        @Override
        public Link invite(LinkUse use) {
            return link;
        }

        @Override
        public Link dial(Address address) {
            return link;
        }

        @Override
        public int doWork() {
            return 0;
        }

        @Override
        public Map<String, Long> counters() {
            return Map.of();
        }

        @Override
        public void close() {}
    }

    /** One end, until it is linked and afterwards. */
    private static final class End implements DirectLinks.Listener {
        private final DirectLinks links;
        private final List<DirectLink> linked = new ArrayList<>();
        private final List<Byte> received = new ArrayList<>();

        End(Link link) {
            links = new DirectLinks("abcdefghijkl", new OneLink(link), Duration.ofSeconds(20), () -> {});
        }

        @Override
        public void onLinked(DirectLink link) {
            linked.add(link);
            assertThat(link.put(PartKind.BYTES, 1, 1, target -> target.put((byte) 7)))
                    .isEqualTo(OfferResult.ACCEPTED);
        }

        @Override
        public void onFailed(String reason) {
            throw new AssertionError(reason);
        }

        void cycle() {
            links.doWork(1);
            linked.forEach(link -> link.poll((kind, remaining, content) -> received.add(content.get()), 1));
        }
    }

    /** The end that is linked first sends while the other one has yet to read the last frame of the handshake. */
    @ParameterizedTest
    @EnumSource(TestLink.Reach.class)
    void partsThatAreSentAsSoonAsAnEndIsLinkedArrive(TestLink.Reach reach) {
        TestLink link = TestLink.pair(1024, reach);
        End inviting = new End(link);
        End dialling = new End(link.peer());
        dialling.links.dial(inviting.links.invite(inviting).invitation(), dialling);

        for (int cycle = 0; cycle < 10; cycle++) {
            inviting.cycle();
            dialling.cycle();
        }

        assertThat(inviting.received).containsExactly((byte) 7);
        assertThat(dialling.received).containsExactly((byte) 7);
    }

    /** Without a proof: the process at the other end is connected, and halted by a debugger. */
    private static List<String> refusalsWithin(Duration waited, Duration lease) {
        List<String> refusals = new ArrayList<>();
        DirectLinks links = new DirectLinks(
                "abcdefghijkl", new OneLink(TestLink.pair(1024, TestLink.Reach.CONFINED)), lease, () -> {});
        links.invite(new DirectLinks.Listener() {
            @Override
            public void onLinked(DirectLink link) {
                throw new AssertionError("linked without a proof");
            }

            @Override
            public void onFailed(String reason) {
                refusals.add(reason);
            }
        });
        links.doWork(1);
        links.doWork(waited.toNanos());
        return refusals;
    }

    @Test
    void otherEndMayTakeTwentySecondsToProveItselfAndALongerLease() {
        assertThat(refusalsWithin(Duration.ofSeconds(19), Duration.ofSeconds(1)))
                .isEmpty();
        assertThat(refusalsWithin(Duration.ofSeconds(21), Duration.ofSeconds(1)))
                .containsExactly("the other end did not prove itself within 20 s");
        assertThat(refusalsWithin(Duration.ofHours(23), Duration.ofDays(1))).isEmpty();
        assertThat(refusalsWithin(Duration.ofHours(25), Duration.ofDays(1)))
                .containsExactly("the other end did not prove itself within 86400 s");
    }
}
