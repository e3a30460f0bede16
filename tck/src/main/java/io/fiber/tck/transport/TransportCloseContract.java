// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

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

/** Clauses TRN-6xx: the end of a transport. TRN-601 and TRN-606 are also checked after every other test. */
abstract class TransportCloseContract extends TransportContract {

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);
    /** What a busy machine may add to a second that the contract allows. */
    private static final Duration SLACK = Duration.ofSeconds(2);

    @Clause(
            id = "TRN-601",
            says = "close leaves no thread",
            check = "that every thread the transport started is told to end and waited for.")
    void closeLeavesNoThread() {
        ThreadCensus before = ThreadCensus.take();
        Pair pair = connect();
        pair.inviter().close();
        pair.dialler().close();
        assertThat(before.leftAfter(fixture().leakLimit()))
                .as("threads after close")
                .isEmpty();
    }

    @Clause(
            id = "TRN-602",
            says = "closing twice, or without having been used, does nothing",
            check = "that close remembers that it was called.")
    void closeTwiceDoesNothing() {
        Pair pair = connect();
        pair.inviter().close();
        pair.inviter().close();
        Transport unused = open();
        unused.close();
        unused.close();
    }

    @Clause(
            id = "TRN-603",
            says = "after close its links are CLOSED, and invite and dial throw",
            check = "that a closed transport fails by IllegalStateException or TransportException, never by a crash of "
                    + "the JVM or a NullPointerException.")
    void useAfterCloseIsRefused() {
        Pair pair = connect();
        Transport closed = pair.inviter();
        closed.close();
        forget(closed);
        Link link = pair.invited();
        assertThat(link.state()).as("state of a link").isEqualTo(LinkState.CLOSED);
        assertThat(link.closeReason()).as("close reason").isNotBlank();
        assertThat(link.offer(FrameSource.allocate(8))).isEqualTo(OfferResult.CLOSED);
        assertThat(link.poll(IGNORE, 1)).isZero();
        link.close();
        assertThat(catchThrowable(closed::invite))
                .as("what invite throws")
                .isInstanceOfAny(IllegalStateException.class, TransportException.class);
        assertThat(catchThrowable(() -> closed.dial(link.address())))
                .as("what dial throws")
                .isInstanceOfAny(IllegalStateException.class, TransportException.class);
        assertThat(closed.counters()).as("counters").isNotNull();
    }

    @Clause(
            id = "TRN-604",
            says = "close takes at most a second, even if a peer has stopped polling",
            check = "that close does not linger until frames are delivered.")
    void closeIsQuick() {
        ByteBuffer frame = FrameSource.allocate(1024);
        Standstill.check("close", CLOSE_LIMIT.plus(SLACK), () -> {
            Pair pair = connect();
            for (int i = 0; i < 10_000 && pair.invited().offer(frame) == OfferResult.ACCEPTED; i++) {
                cycle();
            }
            Standstill standstill = Standstill.of(pair.inviter()::close);
            forget(pair.inviter());
            return standstill;
        });
    }

    @Clause(
            id = "TRN-605",
            says = "closing a transport closes the peers' ends of its links",
            check = "that close of the transport does for each link what the link's own close does.")
    void closingTransportClosesPeers() {
        Pair pair = connect();
        pair.inviter().close();
        forget(pair.inviter());
        Duration limit = fixture().closeNoticeLimit();
        await("TRN-605", "the peer had not noticed within " + limit, limit, () -> isClosed(pair.dialled()));
        assertThat(pair.dialled().closeReason()).as("close reason").isNotBlank();
    }

    @Clause(
            id = "TRN-606",
            says = "close leaves no file, in its directory or where removeAtDeath was requested",
            check = "that what is mapped is unmapped and deleted, on both sides.")
    void closeLeavesNoFile() {
        Pair pair = connect();
        checkLinkWorks("TRN-201", pair.invited(), pair.dialled());
        pair.dialler().close();
        pair.inviter().close();
        assertThat(FixtureDirectory.contentOf(fixture().directory()))
                .as("files after close, below the fixture's directory")
                .allSatisfy(file -> assertThat(file).doesNotContain("/"));
    }
}
