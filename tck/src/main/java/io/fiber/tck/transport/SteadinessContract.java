// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.OfferResult;
import io.fiber.spi.transport.Transport;
import io.fiber.tck.clause.Clause;
import io.fiber.tck.clause.ClauseFailure;
import io.fiber.tck.host.Standstill;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Clauses TRN-212, TRN-310 and TRN-311: a link never throws, closes or blocks of its own accord. */
abstract class SteadinessContract extends TransportContract {

    private static final int FRAMES = 3_000;
    private static final int AHEAD = 20;
    private static final int REJECTIONS = 50;
    private static final int MOST_FRAMES = 1 << 20;
    private static final Duration STALL_LIMIT = Duration.ofSeconds(20);

    /** Above what a call takes that copies a frame, by a thousand times. */
    private static final Duration AT_ONCE = Duration.ofMillis(5);

    /** At least as often as a runtime drives a transport that has no channels. */
    private static final long IDLE_PAUSE_NS = 5_000_000;

    @Clause(
            id = "TRN-212",
            says = "offer and poll throw nothing, except for a frame of an illegal length; neither does what a link"
                    + " reports",
            check = "that a failure of one link closes it, with a reason, and that its answer says so.")
    void linkThrowsNothing() {
        Transport inviter = open();
        Link invited = inviter.invite();
        use(invited);
        Transport dialler = open();
        Link dialled = dialler.dial(invited.address());
        use(dialled);
        awaitConnected(new Pair(inviter, dialler, invited, dialled));
        ByteBuffer frame = FrameSource.allocate(300);
        long[] counts = new long[2];
        await(
                "TRN-202",
                () -> "of " + FRAMES + " frames, " + counts[0] + " were accepted and " + counts[1] + " arrived",
                STALL_LIMIT,
                () -> {
                    boolean isNext = counts[0] < Math.min(FRAMES, counts[1] + AHEAD);
                    counts[0] += isNext && invited.offer(frame.clear()) == OfferResult.ACCEPTED ? 1 : 0;
                    counts[1] += dialled.poll(IGNORE, 5);
                    return counts[1];
                },
                FRAMES);
        invited.offer(frame.clear());
        dialled.close();
        use(dialled);
        await("TRN-304", "the other end had not noticed", fixture().closeNoticeLimit(), () -> {
            use(invited);
            return isClosed(invited);
        });
        inviter.close();
        forget(inviter);
        use(invited);
    }

    private static void use(Link link) {
        link.offer(FrameSource.allocate(300));
        link.poll(IGNORE, 10);
        link.state();
        link.closeReason();
    }

    @Clause(
            id = "TRN-310",
            says = "a link stays CONNECTED until an end closes it or a process is gone, and an invitation stays valid,"
                    + " even if nothing is sent for ten seconds",
            check = "what closes a link that is silent while its transport is driven: only the runtime's lease decides"
                    + " which peer is dead.")
    void idleLinksStayConnected() {
        Transport inviter = open(fixture().callerHost(), 3);
        Pair conversation = connect(inviter, open());
        Pair data = connectForData(inviter, open());
        Link waiting = inviter.invite();
        List<Link> links =
                List.of(conversation.invited(), conversation.dialled(), data.invited(), data.dialled(), waiting);
        long startNs = System.nanoTime();
        long longestNs = 0;
        long lastNs = startNs;
        while (lastNs - startNs < fixture().idleTime().toNanos()
                && links.stream().noneMatch(TransportContract::isClosed)) {
            cycle();
            conversation.invited().poll(IGNORE, 10);
            conversation.dialled().poll(IGNORE, 10);
            LockSupport.parkNanos(IDLE_PAUSE_NS);
            long nowNs = System.nanoTime();
            longestNs = Math.max(longestNs, nowNs - lastNs);
            lastNs = nowNs;
        }
        Duration longest = Duration.ofNanos(longestNs);
        assume(
                longest.compareTo(fixture().lease().dividedBy(2)) < 0,
                "this JVM was stopped for " + longest + ", so its transports were not driven");
        String which = "on which nothing was sent for " + Duration.ofNanos(lastNs - startNs);
        links.forEach(link -> failIfClosed(link, which));
        checkLinkWorks("TRN-310", conversation.invited(), conversation.dialled());
        checkLinkWorks("TRN-310", conversation.dialled(), conversation.invited());
        checkLinkWorks("TRN-310", data.invited(), data.dialled());
        checkLinkWorks("TRN-310", data.dialled(), data.invited());
        Transport late = open();
        Link dialled = late.dial(waiting.address());
        await(
                "TRN-310",
                "a peer could not use an invitation of " + Duration.ofNanos(lastNs - startNs) + " ago",
                fixture().connectLimit(),
                () -> isConnected(waiting) && isConnected(dialled));
        checkLinkWorks("TRN-310", dialled, waiting);
    }

    @Clause(
            id = "TRN-311",
            says = "no method of a link blocks, and neither does doWork, even if the peer has stopped polling",
            check = "that nothing waits for room, for a peer, or for a lock that is held meanwhile.")
    void nothingBlocks() {
        Pair idle = connect();
        Standstill.check(
                "poll of a link without frames",
                AT_ONCE,
                () -> Standstill.of(() -> idle.dialled().poll(IGNORE, 10)));
        Standstill.check(
                "doWork", AT_ONCE, () -> Standstill.of(() -> idle.dialler().doWork()));
        Pair full = connect();
        fill(full.invited());
        ByteBuffer frame = FrameSource.allocate(1024);
        Standstill.check("an offer that is rejected", AT_ONCE, () -> {
            OfferResult[] result = new OfferResult[1];
            Standstill standstill =
                    Standstill.of(() -> result[0] = full.invited().offer(frame.clear()));
            assertThat(result[0]).as("answer of a full link").isEqualTo(OfferResult.BACK_PRESSURED);
            return standstill;
        });
        Standstill.check(
                "doWork with a full link",
                AT_ONCE,
                () -> Standstill.of(() -> full.inviter().doWork()));
        Standstill.check("close of a full link", AT_ONCE, () -> {
            Pair pair = connect();
            fill(pair.invited());
            return Standstill.of(pair.invited()::close);
        });
    }

    private void fill(Link link) {
        ByteBuffer frame = FrameSource.allocate(1024);
        int accepted = 0;
        for (int rejected = 0; rejected < REJECTIONS; ) {
            if (link.offer(frame.clear()) == OfferResult.ACCEPTED) {
                accepted++;
                rejected = 0;
            } else {
                rejected++;
                cycle();
            }
            if (accepted > MOST_FRAMES) {
                throw new ClauseFailure("TRN-301", accepted + " frames were accepted while the receiver did not poll.");
            }
        }
    }
}
