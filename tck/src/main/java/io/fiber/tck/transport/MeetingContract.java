// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.OfferResult;
import io.fiber.spi.transport.Transport;
import io.fiber.spi.transport.TransportException;
import io.fiber.tck.clause.Clause;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Clauses TRN-107 to TRN-109, TRN-114, TRN-210 and TRN-308: connections between processes that dialled, and links that
 * users own.
 */
abstract class MeetingContract extends TransportContract {

    private static final int FRAMES = 5_000;
    /** How far the offering thread goes ahead; what happens to a full link belongs to another clause. */
    private static final int AHEAD = 50;

    /** Two threads and the kit's own share the available processors, so slowness is not a fault. */
    private static final Duration TWO_THREADS_LIMIT = Duration.ofSeconds(30);

    private static final int UNREAD = 20;
    private static final Duration LONG_AFTER = Duration.ofMillis(1_800);

    @Clause(
            id = "TRN-107",
            says = "a transport that has dialled can also invite, and another one that dialled the same process"
                    + " reaches it",
            check = "that invite works after dial, at an address that others who reached the same inviter"
                    + " can also reach.")
    void thoseWhoDialledMeetEachOther() {
        Transport master = open(fixture().callerHost(), 2);
        Pair first = connect(master, openGuest());
        Pair second = connect(master, openGuest());
        Pair direct = connect(first.dialler(), second.dialler());
        assertThat(direct.invited().isConfined())
                .as("isConfined of a link between two that came by links of which it is the same")
                .isEqualTo(first.dialled().isConfined());
        checkLinkWorks("TRN-107", direct.invited(), direct.dialled());
        checkLinkWorks("TRN-107", direct.dialled(), direct.invited());
        checkLinkWorks("TRN-107", first.invited(), first.dialled());
    }

    /** Opens a transport that dials, which is told nothing about how it can be reached. */
    private Transport openGuest() {
        return open(io.fiber.spi.CallerHost.sameHost(), 1);
    }

    @Clause(
            id = "TRN-108",
            says = "a transport can dial its own invitation",
            check = "that dial does not mistake its own address for another's.")
    void bothEndsInOneTransport() {
        Transport transport = open(fixture().callerHost(), 2);
        Pair pair = connect(transport, transport);
        checkLinkWorks("TRN-108", pair.invited(), pair.dialled());
        checkLinkWorks("TRN-108", pair.dialled(), pair.invited());
        pair.dialled().close();
        await("TRN-304", "the other end was not closed", fixture().closeNoticeLimit(), () -> isClosed(pair.invited()));
    }

    @Clause(
            id = "TRN-109",
            says = "the frame limit of a link for data is at least that of other links, and such frames pass",
            check = "how invite handles the use, and that the address passes it to the dialling side.")
    void framesOfDataAreAsLong() {
        Transport inviter = open(fixture().callerHost(), 2);
        int usual = inviter.invite().maxFrameLength();
        Pair data = connectForData(inviter, open());
        assertThat(data.invited().maxFrameLength())
                .as("maxFrameLength of both ends")
                .isGreaterThanOrEqualTo(usual)
                .isEqualTo(data.dialled().maxFrameLength());
        ByteBuffer longest = ByteBuffer.allocateDirect(data.invited().maxFrameLength());
        send(data.invited(), longest, fixture().connectLimit());
        AtomicLong received = new AtomicLong();
        await("TRN-109", "the longest frame did not arrive", fixture().connectLimit(), () -> {
            data.dialled().poll((buffer, offset, length) -> received.set(length), 1);
            return received.get() != 0;
        });
        assertThat(received.get()).as("length that arrived").isEqualTo(longest.capacity());
    }

    @Clause(
            id = "TRN-114",
            says = "each program that dials the port at which a transport listens gets a link of its own; a port"
                    + " that is in use is rejected with NO_ROOM",
            check = "that listen hands over a link for each connection, and that listeningAddress is what it"
                    + " listens at."
                    + " A transport that cannot listen has no such address and throws"
                    + " UnsupportedOperationException.")
    void eachProgramThatDialsThePortGetsALink() {
        Transport listening = open(fixture().callerHost(), 2);
        List<Link> newcomers = new ArrayList<>();
        String host = fixture().callerHost().advertised();
        if (fixture().provider().listeningAddress(host, 1).isEmpty()) {
            assertThat(catchThrowable(() -> listening.listen(0, newcomers::add)))
                    .as("what listen throws")
                    .isInstanceOf(UnsupportedOperationException.class);
            return;
        }
        int port = listening.listen(0, newcomers::add);
        Address address = fixture().provider().listeningAddress(host, port).orElseThrow();
        for (int i = 0; i < 2; i++) {
            int before = newcomers.size();
            Link dialled = open().dial(address);
            await(
                    "TRN-114",
                    "a program dialled and got no link",
                    fixture().connectLimit(),
                    () -> isConnected(dialled) && newcomers.size() == before + 1);
            checkLinkWorks("TRN-114", newcomers.get(before), dialled);
            checkLinkWorks("TRN-114", dialled, newcomers.get(before));
        }
        assertThat(catchThrowable(() -> open().listen(port, newcomers::add)))
                .as("what listen at a port that is taken throws")
                .isInstanceOfSatisfying(
                        TransportException.class, e -> assertThat(e.kind()).isEqualTo(TransportException.Kind.NO_ROOM));
        listening.close();
        forget(listening);
        Link late = open().dial(address);
        await(
                "TRN-114",
                "a dialled port without a listener did not close",
                fixture().closeNoticeLimit(),
                () -> isClosed(late));
        assertThat(late.closeReason()).as("close reason").isNotBlank();
    }

    @Clause(
            id = "TRN-210",
            says = "one thread offers while another polls the same link, and any thread closes it",
            check = "that offer and poll share nothing that both change, and that close works from any thread.")
    void oneThreadOffersWhileAnotherPolls() throws InterruptedException {
        Transport inviter = open();
        Pair pair = connectForData(inviter, open());
        FrameSource source = new FrameSource(3, 256);
        FrameSink here = new FrameSink(source);
        FrameSink there = new FrameSink(source);
        AtomicBoolean stop = new AtomicBoolean();
        AtomicLong received = new AtomicLong();
        Thread offering = new Thread(() -> offerAll(pair.invited(), source, stop, received), "offering");
        offering.start();
        ByteBuffer frame = FrameSource.allocate(256);
        long[] offered = {0};
        try {
            await("TRN-210", "not all frames arrived at both ends", TWO_THREADS_LIMIT, () -> {
                while (offered[0] < Math.min(FRAMES, here.received() + AHEAD)) {
                    source.fill(frame, offered[0]);
                    if (pair.dialled().offer(frame) != OfferResult.ACCEPTED) {
                        break;
                    }
                    offered[0]++;
                }
                pair.dialled().poll(there, AHEAD);
                pair.invited().poll(here, AHEAD);
                received.set(there.received());
                return here.received() >= FRAMES && there.received() >= FRAMES;
            });
        } finally {
            stop.set(true);
            offering.join(fixture().leakLimit().toMillis());
        }
        here.failOnMismatch("TRN-210");
        there.failOnMismatch("TRN-210");
        closeByAnotherThread(pair.invited());
        await(
                "TRN-210",
                "a link that another thread closed did not end",
                fixture().closeNoticeLimit(),
                () -> isClosed(pair.invited()) && isClosed(pair.dialled()));
    }

    private static void closeByAnotherThread(Link link) throws InterruptedException {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread closing = new Thread(link::close, "closing");
        closing.setUncaughtExceptionHandler((thread, failure) -> thrown.set(failure));
        closing.start();
        closing.join();
        assertThat(thrown.get()).as("what close throws in another thread").isNull();
    }

    private static void offerAll(Link link, FrameSource source, AtomicBoolean stop, AtomicLong received) {
        ByteBuffer frame = FrameSource.allocate(256);
        int offered = 0;
        while (offered < FRAMES && !stop.get()) {
            if (offered < received.get() + AHEAD) {
                source.fill(frame, offered);
                offered += link.offer(frame) == OfferResult.ACCEPTED ? 1 : 0;
            } else {
                Thread.onSpinWait();
            }
        }
    }

    @Clause(
            id = "TRN-308",
            says = "frames that a peer sent over a link for data before it closed can be read long afterwards",
            check = "that such a link stays CONNECTED while frames are unread.")
    void unreadDataOutlivesItsSender() {
        Transport inviter = open();
        Pair pair = connectForData(inviter, open());
        FrameSource source = new FrameSource(5, 200);
        ByteBuffer frame = FrameSource.allocate(200);
        for (int i = 0; i < UNREAD; i++) {
            source.fill(frame, i);
            send(pair.dialled(), frame, fixture().connectLimit());
        }
        pair.dialled().close();
        driveFor(LONG_AFTER);
        FrameSink sink = new FrameSink(source);
        await(
                "TRN-308",
                "the link did not close after everything was read",
                fixture().closeNoticeLimit(),
                () -> {
                    pair.invited().poll(sink, 7);
                    return pair.invited().state() == LinkState.CLOSED;
                });
        assertThat(sink.received())
                .as("frames read after their sender had closed")
                .isEqualTo(UNREAD);
        sink.failOnMismatch("TRN-308");
    }
}
