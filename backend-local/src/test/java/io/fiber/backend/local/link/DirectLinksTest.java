// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.channel.DirectLink;
import io.fiber.runtime.channel.DirectLinks;
import io.fiber.runtime.channel.LinkHandshake;
import io.fiber.runtime.channel.LinkInvitation;
import io.fiber.runtime.channel.PartKind;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.security.JobKey;
import io.fiber.spec.Secret;
import io.fiber.spi.CallerHost;
import io.fiber.spi.transport.OfferResult;
import io.fiber.spi.transport.Transport;
import io.fiber.tck.memory.MemoryNetwork;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two processes of a program get a link, and nobody else does. */
class DirectLinksTest {

    private static final int CYCLES = 50;

    private final MemoryNetwork network = new MemoryNetwork();
    private int houses;
    private CallerHost.Reach reach = CallerHost.Reach.NETWORK;
    private final House here = new House("abcdefghij01");
    private final House there = new House("abcdefghij01");

    /** One process: its transport and its links, driven by hand. */
    private final class House implements DirectLinks.Listener {
        private final Transport transport;
        private final DirectLinks links;
        private final List<String> failures = new ArrayList<>();
        private @Nullable DirectLink link;

        House(String program) {
            transport = network.provider().create(new LoneContext("abcdefghij0" + ++houses, () -> reach));
            links = new DirectLinks(program, transport, Duration.ofSeconds(20), () -> {});
        }

        @Override
        public void onLinked(DirectLink newLink) {
            link = newLink;
        }

        @Override
        public void onFailed(String reason) {
            failures.add(reason);
        }

        DirectLink linked() {
            assertThat(failures).isEmpty();
            DirectLink current = link;
            assertThat(current).isNotNull();
            return java.util.Objects.requireNonNull(current);
        }
    }

    private void cycle(House... houses) {
        for (int i = 0; i < CYCLES; i++) {
            for (House house : houses) {
                house.transport.doWork();
                house.links.doWork(i);
            }
        }
    }

    private static void send(DirectLink link, String text) {
        byte[] bytes = text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        assertThat(link.put(PartKind.BYTES, bytes.length, bytes.length, target -> target.put(bytes)))
                .isEqualTo(OfferResult.ACCEPTED);
    }

    private static List<String> received(DirectLink link) {
        List<String> texts = new ArrayList<>();
        link.poll(
                (kind, remaining, content) -> texts.add(
                        kind + " " + remaining + " " + java.nio.charset.StandardCharsets.UTF_8.decode(content)),
                10);
        return texts;
    }

    private static LinkInvitation carried(LinkInvitation ticket) throws IOException {
        return LinkInvitation.decode(ticket.encode());
    }

    @ParameterizedTest
    @EnumSource(CallerHost.Reach.class)
    void bothEndsAreLinkedAndWhatIsSentAtOnceArrives(CallerHost.Reach medium) throws IOException {
        reach = medium;
        LinkHandshake meeting = here.links.invite(here);
        cycle(here);
        there.links.dial(carried(meeting.invitation()), there);
        for (int i = 0; i < CYCLES && here.link == null; i++) {
            here.transport.doWork();
            there.transport.doWork();
            here.links.doWork(i);
            if (here.link == null) {
                there.links.doWork(i);
            }
        }
        send(here.linked(), "right behind the welcome");
        cycle(here, there);
        send(there.linked(), "hello");
        assertThat(received(there.linked())).containsExactly("BYTES 24 right behind the welcome");
        assertThat(received(here.linked())).containsExactly("BYTES 5 hello");
        assertThat(here.linked().isConfined()).isEqualTo(medium == CallerHost.Reach.SAME_HOST);
        here.linked().close();
        there.linked().close();
    }

    @Test
    void anInvitationOutlivesALinkThatWasDialledUnderTheSameNumber() throws IOException {
        LinkHandshake ofHere = here.links.invite(here);
        LinkHandshake ofThere = there.links.invite(there);
        assertThat(ofHere.invitation().number()).isEqualTo(ofThere.invitation().number());
        there.links.dial(carried(ofHere.invitation()), there);
        cycle(here, there);
        here.linked();
        there.linked();
        here.link = null;
        there.link = null;
        here.links.dial(carried(ofThere.invitation()), here);
        cycle(here, there);
        send(here.linked(), "hello");
        assertThat(received(there.linked())).containsExactly("BYTES 5 hello");
    }

    @Test
    void wrongKeyIsRefused() {
        LinkHandshake meeting = here.links.invite(here);
        LinkInvitation good = meeting.invitation();
        byte[] other = new byte[JobKey.LENGTH_BYTES];
        there.links.dial(new LinkInvitation(good.address(), good.number(), new JobKey(Secret.of(other))), there);
        cycle(here, there);
        assertThat(here.link).isNull();
        assertThat(there.link).isNull();
        assertThat(there.failures).singleElement().asString().startsWith("its handshake failed: ");
    }

    @Test
    void wrongNumberIsRefused() {
        LinkHandshake meeting = here.links.invite(here);
        LinkHandshake second = here.links.invite(here);
        there.links.dial(
                new LinkInvitation(
                        meeting.invitation().address(),
                        second.invitation().number(),
                        second.invitation().key()),
                there);
        cycle(here, there);
        assertThat(here.failures).containsExactly("it claims number 2 on the link of number 1");
        assertThat(there.link).isNull();
    }

    @Test
    void processOfAnotherProgramIsRefused() {
        House stranger = new House("zzzzzzzzzz99");
        LinkHandshake meeting = here.links.invite(here);
        stranger.links.dial(meeting.invitation(), stranger);
        cycle(here, stranger);
        assertThat(here.link).isNull();
        assertThat(stranger.link).isNull();
    }

    @Test
    void cancelledMeetingFailsAtTheOtherEndAlone() {
        LinkHandshake meeting = here.links.invite(here);
        there.links.dial(meeting.invitation(), there);
        meeting.cancel();
        cycle(here, there);
        assertThat(here.failures).isEmpty();
        assertThat(there.failures).hasSize(1);
    }

    @Test
    void ticketShowsNothingAndDamagedOnesAreRefused() {
        LinkInvitation ticket = here.links.invite(here).invitation();
        assertThat(ticket.toString()).isEqualTo("Ticket[1]");
        assertThat(org.assertj.core.api.Assertions.catchThrowable(
                        () -> LinkInvitation.decode(Payload.of(new byte[] {3, 'a', ' ', 'b', 1, 2}))))
                .isInstanceOf(IOException.class);
    }
}
