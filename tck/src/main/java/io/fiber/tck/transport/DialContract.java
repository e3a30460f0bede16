// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fiber.spi.Provider;
import io.fiber.spi.SpiVersion;
import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.OfferResult;
import io.fiber.spi.transport.Transport;
import io.fiber.spi.transport.TransportException;
import io.fiber.tck.clause.Clause;
import io.fiber.tck.host.FixtureDirectory;
import io.fiber.tck.host.Standstill;
import io.fiber.tck.host.ThreadCensus;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Clauses TRN-0xx and TRN-1xx: which transport is tested, and how two ends find each other. */
abstract class DialContract extends TransportContract {

    private static final int PEERS = 4;
    /** Enough to create a few files, and less than any answer from another process that is slow. */
    private static final Duration AT_ONCE = Duration.ofMillis(150);

    private static final Duration QUIET = Duration.ofMillis(500);

    @Clause(
            id = "TRN-001",
            says = "the transport under test has the name that the fixture gives",
            check = "that the fixture's provider is the one you mean, and that its name is [a-z][a-z0-9-]*.")
    void transportIsTheOneNamed() {
        Provider provider = fixture().provider();
        assertThat(provider.name())
                .as("name of the provider")
                .isEqualTo(fixture().name())
                .matches("[a-z][a-z0-9-]*");
        assertThat(SpiVersion.isSupported(provider.spiVersion()))
                .as("spiVersion %s is supported", provider.spiVersion())
                .isTrue();
    }

    @Clause(
            id = "TRN-100",
            says = "creating a transport starts nothing before the first invite or dial",
            check = "that the provider's create makes no thread and no file; move that to the first invite or dial.")
    void createStartsNothing() {
        ThreadCensus before = ThreadCensus.take();
        open();
        assertThat(before.leftAfter(Duration.ZERO))
                .as("threads that create started")
                .isEmpty();
        assertThat(FixtureDirectory.contentOf(fixture().directory()))
                .as("files that create made")
                .allSatisfy(file -> assertThat(file).doesNotContain("/"));
    }

    @Clause(
            id = "TRN-101",
            says = "invite returns at once a link that is CONNECTING and has an address of this transport",
            check = "that invite does not wait for a peer and that its address begins with the name and a colon.")
    void inviteReturnsConnectingLink() {
        Standstill.check("invite", AT_ONCE, () -> {
            Transport inviter = open(fixture().callerHost(), PEERS);
            List<Link> links = new ArrayList<>();
            Standstill standstill = Standstill.of(() -> {
                for (int i = 0; i < PEERS; i++) {
                    links.add(inviter.invite());
                }
            });
            assertThat(links).as("new links").allSatisfy(link -> {
                assertThat(link.state()).as("state of a new link").isEqualTo(LinkState.CONNECTING);
                assertThat(link.closeReason())
                        .as("close reason of an open link")
                        .isEmpty();
                assertThat(link.address().text()).startsWith(fixture().name() + ":");
            });
            assertThat(links)
                    .extracting(link -> link.address().text())
                    .as("addresses of %s invitations", PEERS)
                    .doesNotHaveDuplicates();
            return standstill;
        });
    }

    @Clause(
            id = "TRN-102",
            says = "an offer before the peer has arrived returns NOT_CONNECTED",
            check = "that offer neither queues frames nor throws while nobody has dialled.")
    void offerBeforePeerIsNotConnected() {
        Transport inviter = open();
        Link link = inviter.invite();
        ByteBuffer frame = FrameSource.allocate(64);
        for (int i = 0; i < 100; i++) {
            cycle();
            assertThat(link.offer(frame)).as("answer to offer").isEqualTo(OfferResult.NOT_CONNECTED);
            assertThat(link.poll(IGNORE, 10)).as("frames polled").isZero();
        }
        assertThat(link.state()).isEqualTo(LinkState.CONNECTING);
    }

    @Clause(
            id = "TRN-103",
            says = "both ends become CONNECTED when the peer dials the address, and frames pass both ways",
            check = "that doWork drives the handshake on both sides, that the advertised address can be reached, and "
                    + "that the fixture's connectLimit is long enough.")
    void bothEndsConnect() {
        Pair pair = connect();
        checkLinkWorks("TRN-103", pair.invited(), pair.dialled());
        checkLinkWorks("TRN-103", pair.dialled(), pair.invited());
    }

    @Clause(
            id = "TRN-104",
            says = "an invitation is for one peer: a later one cannot use it and does not disturb the first",
            check = "that an address is used up by the first peer that dials it.")
    void addressIsUsedUp() {
        Pair pair = connect();
        Transport intruder = open();
        Link late;
        try {
            late = intruder.dial(pair.invited().address());
        } catch (TransportException e) {
            checkLinkWorks("TRN-104", pair.invited(), pair.dialled());
            return;
        }
        ByteBuffer frame = FrameSource.allocate(64);
        long deadlineNs = System.nanoTime() + QUIET.toNanos();
        while (System.nanoTime() - deadlineNs < 0) {
            idle(cycle());
            assertThat(late.state()).as("state of the second dial's link").isNotEqualTo(LinkState.CONNECTED);
            assertThat(late.offer(frame)).as("answer to its offer").isNotEqualTo(OfferResult.ACCEPTED);
        }
        checkLinkWorks("TRN-104", pair.invited(), pair.dialled());
        checkLinkWorks("TRN-104", pair.dialled(), pair.invited());
    }

    @Clause(
            id = "TRN-105",
            says = "a transport serves several peers at the same time, each with its own frames",
            check = "that links share no stream, buffer or identity.")
    void severalPeersAtOnce() {
        Transport inviter = open(fixture().callerHost(), PEERS);
        List<Pair> pairs = new ArrayList<>();
        List<FrameSink> sinks = new ArrayList<>();
        for (int i = 0; i < PEERS; i++) {
            pairs.add(connect(inviter, open()));
            sinks.add(new FrameSink(new FrameSource(i, 512)));
        }
        ByteBuffer frame = FrameSource.allocate(512);
        for (int index = 0; index < 200; index++) {
            for (int i = 0; i < PEERS; i++) {
                new FrameSource(i, 512).fill(frame, index);
                send(pairs.get(i).invited(), frame, fixture().connectLimit());
                pairs.get(i).dialled().poll(sinks.get(i), 10);
            }
        }
        for (int i = 0; i < PEERS; i++) {
            Link link = pairs.get(i).dialled();
            FrameSink sink = sinks.get(i);
            await("TRN-105", "a peer did not get all its frames", fixture().connectLimit(), () -> {
                link.poll(sink, 50);
                return sink.received() >= 200;
            });
            sink.failOnMismatch("TRN-105");
        }
    }

    @Clause(
            id = "TRN-106",
            says = "maxPeers peers can be invited; one more works or throws NO_ROOM, and does not affect the others",
            check = "how buffers and counters are sized from TransportContext.maxPeers.")
    void invitingBeyondMaxPeersHarmsNoOtherPeer() {
        Transport inviter = open(fixture().callerHost(), 2);
        Pair first = connect(inviter, open());
        Pair second = connect(inviter, open());
        Throwable thrown = catchThrowable(() -> {
            for (int i = 0; i < 3; i++) {
                inviter.invite();
            }
        });
        if (thrown != null) {
            assertThat(thrown)
                    .as("what invite beyond maxPeers throws")
                    .isInstanceOfSatisfying(
                            TransportException.class,
                            e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.NO_ROOM));
        }
        checkLinkWorks("TRN-106", first.invited(), first.dialled());
        checkLinkWorks("TRN-106", second.dialled(), second.invited());
    }

    @Clause(
            id = "TRN-110",
            says = "dial returns at once a link that is CONNECTING",
            check =
                    "that dial waits neither for the other side nor for a name server; what it cannot do at once belongs"
                            + " in doWork.")
    void dialReturnsConnectingLink() {
        Standstill.check("dial", AT_ONCE, () -> {
            Transport inviter = open();
            Transport dialler = open();
            Address address = inviter.invite().address();
            List<Link> dialled = new ArrayList<>();
            Standstill standstill = Standstill.of(() -> dialled.add(dialler.dial(address)));
            Link link = dialled.get(0);
            assertThat(link.state()).as("state after dial").isEqualTo(LinkState.CONNECTING);
            assertThat(link.offer(FrameSource.allocate(8))).isEqualTo(OfferResult.NOT_CONNECTED);
            return standstill;
        });
    }

    @Clause(
            id = "TRN-111",
            says = "an address that cannot be used is rejected with BAD_ADDRESS and a text that says what was"
                    + " expected, and inWords accepts it",
            check = "that dial parses the whole address before it starts anything, and that inWords takes any address.")
    void badAddressIsRefused() {
        Transport dialler = open();
        for (String text : List.of(
                "nosuchtransport:here", fixture().name() + ":", fixture().name() + ":?*%", "x")) {
            Throwable thrown = catchThrowable(() -> dialler.dial(new Address(text)));
            assertThat(thrown)
                    .as("what dial of '%s' throws", text)
                    .isInstanceOfSatisfying(TransportException.class, e -> {
                        assertThat(e.kind()).isEqualTo(TransportException.Kind.BAD_ADDRESS);
                        assertThat(e.getMessage()).as("text of the refusal").contains(text);
                    });
            assertThat(fixture().provider().inWords(new Address(text)))
                    .as("words for '%s'", text)
                    .isNotBlank();
        }
    }

    @Clause(
            id = "TRN-112",
            says = "dialling a peer that is gone never connects and never blocks",
            check = "that nobody else answers at an address whose inviter has closed.")
    void diallingAPeerThatIsGoneNeverConnects() {
        Transport inviter = open();
        Address address = inviter.invite().address();
        inviter.close();
        forget(inviter);
        Transport dialler = open();
        Link link;
        try {
            link = dialler.dial(address);
        } catch (TransportException e) {
            assertThat(e.getMessage()).as("text of the refusal").isNotBlank();
            return;
        }
        long deadlineNs = System.nanoTime() + QUIET.toNanos();
        while (System.nanoTime() - deadlineNs < 0) {
            idle(cycle());
            assertThat(link.state()).as("state of the link").isNotEqualTo(LinkState.CONNECTED);
        }
    }

    @Clause(
            id = "TRN-113",
            says = "both ends of a link have the same address, and its text can be sent and parsed",
            check = "that address() returns what was dialled, and that the text holds everything the peer needs.")
    void addressSurvivesBeingText() {
        Transport inviter = open();
        Transport dialler = open();
        Link invited = inviter.invite();
        byte[] sent = invited.address().text().getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        Address parsed = new Address(new String(sent, java.nio.charset.StandardCharsets.US_ASCII));
        Link dialled = dialler.dial(parsed);
        awaitConnected(new Pair(inviter, dialler, invited, dialled));
        assertThat(dialled.address()).isEqualTo(invited.address());
        assertThat(invited.address()).isEqualTo(parsed);
    }
}
