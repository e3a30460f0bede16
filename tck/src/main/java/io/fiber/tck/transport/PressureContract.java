// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.OfferResult;
import io.fiber.spi.transport.Transport;
import io.fiber.spi.transport.TransportException;
import io.fiber.tck.clause.Clause;
import io.fiber.tck.clause.ClauseFailure;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Clauses TRN-3xx: peers that are slow, stop, or are gone. */
abstract class PressureContract extends TransportContract {

    private static final long GREATEST_BACKLOG_BYTES = 512L << 20;
    private static final Duration FILL_LIMIT = Duration.ofSeconds(40);
    /** Starting a JVM on a busy machine takes half of it. */
    private static final Duration PEER_START_LIMIT = Duration.ofSeconds(60);

    private static final int ACCEPTED = 20;
    private static final int UNREAD = 100;

    @Clause(
            id = "TRN-301",
            says = "offers are BACK_PRESSURED when the receiver stops polling",
            check = "that the buffer for a peer has a bound.")
    void offerIsBackPressuredWhenReceiverStops() {
        Pair pair = connect();
        fill(pair.invited(), new FrameSource(4, 1024));
    }

    /** Offers until the link is full; returns how many frames were accepted. */
    private long fill(Link link, FrameSource source) {
        ByteBuffer frame = FrameSource.allocate(1024);
        long[] state = new long[3];
        await("TRN-301", "the link was never full", FILL_LIMIT, () -> {
            for (int burst = 0; burst < 64; burst++) {
                source.fill(frame, state[0]);
                OfferResult result = link.offer(frame);
                if (result != OfferResult.ACCEPTED) {
                    failIfChanged(frame, source.length(state[0]));
                    assertThat(result).as("answer of a full link").isEqualTo(OfferResult.BACK_PRESSURED);
                    state[2]++;
                    break;
                }
                state[0]++;
                state[1] += frame.remaining();
                state[2] = 0;
            }
            if (state[1] > GREATEST_BACKLOG_BYTES) {
                throw new ClauseFailure("TRN-301", state[1] + " bytes were accepted while the receiver did not poll.");
            }
            return state[2] > 100;
        });
        return state[0];
    }

    private static void failIfChanged(ByteBuffer refused, int length) {
        if (refused.position() != 0 || refused.limit() != length) {
            throw new ClauseFailure(
                    "TRN-205",
                    "a frame of " + length + " bytes was offered from 0 to " + length + " and refused; now it is "
                            + refused + ".");
        }
    }

    @Clause(
            id = "TRN-302",
            says = "a link that was full continues when the receiver polls again, and nothing is lost",
            check = "that a frame answered with BACK_PRESSURED has left no trace, and that credit is given back.")
    void fullLinkRecovers() {
        Pair pair = connect();
        FrameSource source = new FrameSource(5, 1024);
        long accepted = fill(pair.invited(), source);
        FrameSink sink = new FrameSink(source);
        await("TRN-302", accepted + " frames were accepted and not all arrived", FILL_LIMIT, () -> {
            pair.dialled().poll(sink, 64);
            return sink.received() >= accepted || sink.isWrong();
        });
        sink.failOnMismatch("TRN-302");
        ByteBuffer frame = FrameSource.allocate(1024);
        for (long index = accepted; index < accepted + 100; index++) {
            source.fill(frame, index);
            await("TRN-302", "an emptied link accepts nothing", fixture().connectLimit(), () -> {
                pair.dialled().poll(sink, 64);
                return pair.invited().offer(frame) == OfferResult.ACCEPTED;
            });
        }
        await("TRN-302", "frames after the recovery did not arrive", FILL_LIMIT, () -> {
            pair.dialled().poll(sink, 64);
            return sink.received() >= accepted + 100 || sink.isWrong();
        });
        sink.failOnMismatch("TRN-302");
    }

    @Clause(
            id = "TRN-303",
            says = "a peer that stops polling does not stop other peers",
            check = "that links of one transport share no bounded buffer and no flow control.")
    void stoppedPeerDoesNotStopAnother() {
        Transport inviter = open(fixture().callerHost(), 2);
        Pair stopped = connect(inviter, open());
        Pair other = connect(inviter, open());
        fill(stopped.invited(), new FrameSource(6, 1024));
        for (int i = 0; i < 20; i++) {
            checkLinkWorks("TRN-303", other.invited(), other.dialled());
            checkLinkWorks("TRN-303", other.dialled(), other.invited());
        }
    }

    @Clause(
            id = "TRN-304",
            says = "when one end closes, the other becomes CLOSED and says why, and no transport fails",
            check = "that close tells the peer, that doWork of the other side looks for it, and that onFailed is about"
                    + " the transport as a whole.")
    void closeIsNoticedByTheOtherEnd() {
        Pair first = connect();
        first.dialled().close();
        awaitClosed("TRN-304", first.invited());
        Pair second = connect();
        second.invited().close();
        awaitClosed("TRN-304", second.dialled());
        assertThat(failures()).as("what listeners were told by onFailed").isEmpty();
    }

    @Clause(
            id = "TRN-309",
            says = "frames that an end of a conversation has accepted before it closes reach a peer that continues"
                    + " to read",
            check = "that what was accepted goes out first, and that a peer finds the end behind the last frame.")
    void acceptedFramesComeBeforeTheEnd() {
        Pair first = connect();
        assertThatAcceptedFramesArrive(first.invited(), first.dialled());
        Pair second = connect();
        assertThatAcceptedFramesArrive(second.dialled(), second.invited());
    }

    private void assertThatAcceptedFramesArrive(Link closing, Link reading) {
        FrameSource source = new FrameSource(8, 200);
        ByteBuffer frame = FrameSource.allocate(200);
        for (int i = 0; i < ACCEPTED; i++) {
            source.fill(frame, i);
            send(closing, frame, fixture().connectLimit());
        }
        closing.close();
        FrameSink sink = new FrameSink(source);
        await("TRN-304", "the other end had not noticed", fixture().closeNoticeLimit(), () -> {
            // An end may wait for a reader for only a second, so everything that has arrived is read at once.
            for (int i = 0; i < ACCEPTED && reading.poll(sink, 7) > 0; i++) {}
            return isClosed(reading);
        });
        assertThat(sink.received())
                .as("frames read after their sender had closed")
                .isEqualTo(ACCEPTED);
        sink.failOnMismatch("TRN-309");
    }

    private void awaitClosed(String clauseId, Link link) {
        Duration limit = fixture().closeNoticeLimit();
        await(clauseId, "the other end had not noticed within " + limit, limit, () -> {
            link.poll(IGNORE, 10);
            return isClosed(link);
        });
        assertThat(link.closeReason()).as("close reason").isNotBlank();
    }

    @Clause(
            id = "TRN-305",
            says = "a closed link always returns CLOSED to offers, 0 to polls, and the same reason",
            check = "that a closed link throws nothing and stays closed, and that the first of two closes counts.")
    void closedLinkStaysClosed() {
        Pair pair = connect();
        pair.dialled().close();
        pair.dialled().close();
        assertThat(pair.dialled().state())
                .as("state of the end that was closed")
                .isEqualTo(LinkState.CLOSED);
        awaitClosed("TRN-304", pair.invited());
        String reason = pair.invited().closeReason();
        pair.invited().close();
        assertThat(pair.invited().closeReason())
                .as("close reason of an end that is closed again")
                .isEqualTo(reason);
        ByteBuffer frame = FrameSource.allocate(64);
        for (Link link : new Link[] {pair.dialled(), pair.invited()}) {
            for (int i = 0; i < 50; i++) {
                cycle();
                assertThat(link.offer(frame)).as("answer to an offer").isEqualTo(OfferResult.CLOSED);
                assertThat(link.state()).isEqualTo(LinkState.CLOSED);
            }
            assertThat(link.closeReason()).as("close reason").isNotBlank();
            assertThat(link.poll(IGNORE, 10)).as("frames polled").isZero();
        }
    }

    @Clause(
            id = "TRN-306",
            says = "when a peer's process is killed, its link becomes CLOSED and others continue",
            check = "that the peer's silence is noticed, and that the fixture's lossNoticeLimit allows"
                    + " enough time for this.")
    void killedPeerIsNoticed() throws Exception {
        assume(fixture().peerFixture().isPresent(), "the fixture names no peerFixture for a second JVM");
        Transport inviter = open(fixture().callerHost(), 2);
        Link link = inviter.invite();
        Pair other = connect(inviter, open());
        try (PeerProcess peer = PeerProcess.start(fixture(), link.address())) {
            await(
                    "TRN-306",
                    "the peer's process did not connect; it wrote: " + peer.output(),
                    fixture().connectLimit().plus(PEER_START_LIMIT),
                    () -> isConnected(link));
            ByteBuffer frame = FrameSource.allocate(64);
            send(link, frame, fixture().connectLimit());
            int[] echoes = new int[1];
            await(
                    "TRN-306",
                    "the peer's process did not echo a frame",
                    fixture().connectLimit(),
                    () -> {
                        echoes[0] += link.poll(IGNORE, 10);
                        return echoes[0] > 0;
                    });
            for (int i = 0; i < UNREAD; i++) {
                link.offer(frame); // The connection of a process that dies with unread frames is reset.
            }
            peer.kill();
            Duration limit = fixture().lossNoticeLimit();
            await("TRN-306", "the loss was not noticed within " + limit, limit, () -> {
                link.offer(frame);
                return isClosed(link);
            });
            assertThat(link.closeReason()).as("close reason").isNotBlank();
        }
        checkLinkWorks("TRN-306", other.invited(), other.dialled());
    }

    @Clause(
            id = "TRN-307",
            says = "after a peer has closed, or an invitation was closed before a peer arrived, a new peer can be"
                    + " invited",
            check = "that a closed link gives back its share of maxPeers, its port and its buffers, and that what"
                    + " identifies an invitation is never used again.")
    void closedPeerMakesRoom() {
        Transport inviter = open();
        Transport dialler = open();
        Transport late = open();
        List<Address> over = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Link unused = inviter.invite();
            over.add(unused.address());
            unused.close();
            cycle();
            Pair pair = connectPast(over, late, inviter, dialler);
            checkLinkWorks("TRN-307", pair.invited(), pair.dialled());
            pair.dialled().close();
            awaitClosed("TRN-304", pair.invited());
            pair.invited().close();
            over.add(pair.invited().address());
        }
    }

    /** Connects while others dial the addresses of invitations that are over, which must not lead to this one. */
    private Pair connectPast(List<Address> over, Transport late, Transport inviter, Transport dialler) {
        Link invited = inviter.invite();
        assertThat(over).as("addresses of invitations that are over").doesNotContain(invited.address());
        List<Link> strays = new ArrayList<>();
        for (Address address : over) {
            try {
                strays.add(late.dial(address));
            } catch (TransportException e) {
                assertThat(e.getMessage()).as("text of the refusal").isNotBlank();
            }
        }
        cycle();
        Pair pair = awaitConnected(new Pair(inviter, dialler, invited, dialler.dial(invited.address())));
        assertThat(strays.stream().filter(TransportContract::isConnected).map(Link::address))
                .as("addresses of invitations that are over, by which a stray reached a peer")
                .isEmpty();
        strays.forEach(Link::close);
        return pair;
    }
}
