// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.transport;

import io.fiber.spi.CallerHost;
import io.fiber.spi.transport.FrameHandler;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.OfferResult;
import io.fiber.spi.transport.Transport;
import io.fiber.spi.transport.TransportException;
import io.fiber.tck.clause.ClauseFailure;
import io.fiber.tck.clause.ClauseNames;
import io.fiber.tck.clause.ClauseReporting;
import io.fiber.tck.clause.ClauseSelection;
import io.fiber.tck.host.FixtureDirectory;
import io.fiber.tck.host.ThreadCensus;
import io.fiber.tck.report.ClauseReport;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The common part of the groups of transport clauses: a fixture for each test, transports that the test's own thread
 * drives, and the check that nothing is left. Not thread-safe.
 */
@ExtendWith({ClauseReporting.class, ClauseSelection.class, StrayExceptions.class})
@DisplayNameGeneration(ClauseNames.class)
abstract class TransportContract {

    static final FrameHandler IGNORE = (buffer, offset, length) -> {};
    private static final int IDLE_CYCLES_BEFORE_PARKING = 200;
    private static final long PARK_NS = 200_000;

    /** A machine that stopped this thread for the whole of a limit has shown nothing about the transport. */
    private static final int LEAST_CYCLES = 1_000;

    private TransportFixture fixture;
    private ThreadCensus census;
    private List<KitTransportContext> contexts = new ArrayList<>();
    private List<Transport> driven = new ArrayList<>();

    /** Two connected ends and their transports. */
    record Pair(Transport inviter, Transport dialler, Link invited, Link dialled) {}

    abstract TransportFixture createFixture();

    @BeforeEach
    void openFixture(TestReporter reporter) {
        contexts = new ArrayList<>();
        driven = new ArrayList<>();
        fixture = createFixture();
        census = ThreadCensus.take();
        reporter.publishEntry(ClauseReport.SUBJECT_KEY, fixture.name());
    }

    @AfterEach
    void closeFixture() {
        TransportFixture toClose = fixture;
        if (toClose == null) {
            return; // It could not be created, which was reported.
        }
        try {
            for (Transport transport : driven) {
                transport.close();
            }
            checkThatNothingIsLeft();
        } finally {
            contexts.forEach(KitTransportContext::removeDirectory);
            toClose.close();
        }
    }

    private void checkThatNothingIsLeft() {
        for (KitTransportContext context : contexts) {
            List<String> left = new ArrayList<>(FixtureDirectory.contentOf(context.directory()));
            context.removedAtDeath().stream().filter(Files::exists).forEach(path -> left.add(path.toString()));
            if (!left.isEmpty()) {
                throw new ClauseFailure("TRN-606", "after close these files are left: " + left + ".");
            }
        }
        List<String> threads = census.leftAfter(fixture.leakLimit());
        if (!threads.isEmpty()) {
            throw new ClauseFailure("TRN-601", "after close, these threads are still alive: " + threads + ".");
        }
    }

    TransportFixture fixture() {
        return fixture;
    }

    Transport open(CallerHost callerHost, int maxPeers) {
        KitTransportContext context = new KitTransportContext(fixture, callerHost, maxPeers);
        contexts.add(context);
        Transport transport = fixture.provider().create(context);
        if (transport == null) {
            throw new ClauseFailure("TRN-001", "the provider's create returned null.");
        }
        driven.add(transport);
        return transport;
    }

    Transport open() {
        return open(fixture.callerHost(), 1);
    }

    /** Opens two transports and connects them. */
    Pair connect() {
        return connect(fixture.callerHost());
    }

    Pair connect(CallerHost callerHost) {
        Transport inviter = open(callerHost, 1);
        return connect(inviter, open(callerHost, 1));
    }

    Pair connect(Transport inviter, Transport dialler) {
        Link invited = inviter.invite();
        return awaitConnected(new Pair(inviter, dialler, invited, dialler.dial(invited.address())));
    }

    Pair awaitConnected(Pair pair) {
        await(
                "TRN-103",
                "the ends did not find each other within " + fixture.connectLimit(),
                fixture.connectLimit(),
                () -> isConnected(pair.invited) && isConnected(pair.dialled));
        return pair;
    }

    Pair connectForData(Transport inviter, Transport dialler) {
        Link invited = inviter.invite(LinkUse.DATA);
        return awaitConnected(new Pair(inviter, dialler, invited, dialler.dial(invited.address())));
    }

    static boolean isConnected(Link link) {
        return link.state() == LinkState.CONNECTED;
    }

    static boolean isClosed(Link link) {
        return link.state() == LinkState.CLOSED;
    }

    /** Removes a transport from those that the test's thread drives; it is not closed after the test either. */
    void forget(Transport transport) {
        driven.remove(transport);
    }

    /** Drives all transports once. */
    int cycle() {
        int work = 0;
        for (int i = 0; i < driven.size(); i++) {
            work += driven.get(i).doWork();
        }
        return work;
    }

    /**
     * Drives all transports until the condition holds, and reports a violation of the clause if it does not within the
     * limit.
     */
    void await(String clauseId, String otherwise, Duration limit, BooleanSupplier condition) {
        await(clauseId, () -> otherwise, limit, () -> condition.getAsBoolean() ? 1 : 0, 1);
    }

    /**
     * Drives all transports until a count reaches a number, and reports a violation of the clause if it does not grow
     * within the limit. So a slow machine may take any time.
     */
    void await(String clauseId, Supplier<String> otherwise, Duration limit, LongSupplier count, long enough) {
        long grownNs = System.nanoTime();
        long last = 0;
        int cycles = 0;
        int idleCycles = 0;
        for (long seen = count.getAsLong(); seen < enough; seen = count.getAsLong()) {
            if (seen > last) {
                last = seen;
                grownNs = System.nanoTime();
                cycles = 0;
            }
            if (cycles > LEAST_CYCLES && System.nanoTime() - grownNs > limit.toNanos()) {
                throw new ClauseFailure(clauseId, otherwise.get() + ". " + story());
            }
            cycles++;
            idleCycles = cycle() > 0 ? 0 : idleCycles + 1;
            idle(idleCycles);
        }
    }

    static void idle(int idleCycles) {
        if (idleCycles > IDLE_CYCLES_BEFORE_PARKING) {
            LockSupport.parkNanos(PARK_NS);
        } else {
            Thread.onSpinWait();
        }
    }

    /** Drives all transports for a while in which nothing may happen. */
    void driveFor(Duration time) {
        long deadlineNs = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - deadlineNs < 0) {
            idle(cycle() > 0 ? 0 : IDLE_CYCLES_BEFORE_PARKING + 1);
        }
    }

    /** Offers until the frame is accepted. */
    void send(Link link, ByteBuffer frame, Duration limit) {
        await(
                "TRN-302",
                "a frame of " + frame.remaining() + " bytes was not accepted within " + limit
                        + " although the receiver " + "polls; the link is " + link.state() + " " + link.closeReason(),
                limit,
                () -> {
                    OfferResult result = link.offer(frame);
                    failIfClosed(link, "in use");
                    return result == OfferResult.ACCEPTED;
                });
    }

    /** Reports a link that is closed although neither end has closed it. */
    static void failIfClosed(Link link, String which) {
        if (isClosed(link)) {
            throw new ClauseFailure(
                    "TRN-310",
                    "a link " + which + " closed although no end was asked to; its reason is '" + link.closeReason()
                            + "'.");
        }
    }

    /** Checks that the link works: sends a small frame and waits until the other end has it. */
    void checkLinkWorks(String clauseId, Link from, Link to) {
        ByteBuffer frame = FrameSource.allocate(from.maxFrameLength());
        FrameSource source = new FrameSource(7, 64);
        source.fill(frame, 0);
        send(from, frame, fixture.connectLimit());
        FrameSink sink = new FrameSink(source);
        await(clauseId, "a frame was accepted and did not arrive", fixture.connectLimit(), () -> {
            to.poll(sink, 10);
            return sink.received() == 1;
        });
        sink.failOnMismatch("TRN-201");
    }

    /** Returns the failures that transports reported to their listeners. */
    List<TransportException> failures() {
        return contexts.stream().flatMap(context -> context.failure().stream()).toList();
    }

    /** Returns what the transports reported to their listeners. */
    String story() {
        List<String> stories = contexts.stream().map(KitTransportContext::story).toList();
        return "The listeners were told: " + stories;
    }

    /** Skips the test if the condition does not hold; the report shows the reason. */
    void assume(boolean holds, String reason) {
        Assumptions.assumeTrue(holds, "transport '" + fixture.name() + "': " + reason);
    }
}
