// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.OfferResult;
import io.fiber.spi.transport.Transport;
import io.fiber.tck.clause.Clause;
import io.fiber.tck.clause.ClauseFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Clauses TRN-7xx: waiting with a selector. A transport is driven here, and a link used, only if a ready key asks for it.
 */
abstract class WaitContract extends TransportContract {

    private static final Duration FILL_LIMIT = Duration.ofSeconds(40);
    private static final Duration QUIET_LIMIT = Duration.ofSeconds(10);
    private static final int QUIET_LOOKS = 200;
    private static final int FRAMES = 50;

    /** A transport with a selector, which is removed at the end. */
    private final class Waiting implements AutoCloseable {
        private final Transport transport = open(fixture().callerHost(), 2);
        private final Selector selector;
        private final boolean isTold;

        Waiting() {
            try {
                selector = Selector.open();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            isTold = transport.registerWith(selector);
        }

        /** Drives the transport if a ready channel asks for it, and returns whether one is ready. */
        boolean drive() {
            return !ready().isEmpty();
        }

        /** Does the same, and returns whether the link is ready. */
        boolean drive(Link link) {
            return ready().contains(Optional.of(link));
        }

        private Set<Optional<Link>> ready() {
            Set<Optional<Link>> ready = new HashSet<>();
            try {
                selector.selectNow(
                        key -> ready.add(key.attachment() instanceof Link link ? Optional.of(link) : Optional.empty()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            if (ready.contains(Optional.<Link>empty())) {
                transport.doWork();
            }
            return ready;
        }

        /** Closes the selector. */
        void silence() {
            try {
                selector.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            forget(transport);
            transport.close();
            silence();
        }
    }

    /** Two transports that wait, one of which has invited the other. */
    private final class Two implements AutoCloseable {
        private final Waiting inviter = new Waiting();
        private final Waiting dialler = new Waiting();

        Two requireTold() {
            boolean isTold = inviter.isTold && dialler.isTold;
            if (!isTold) {
                close();
            }
            assume(isTold, "it has no channels that signal arrivals");
            return this;
        }

        Pair connect(LinkUse use) {
            Link invited = inviter.transport.invite(use);
            Link dialled = dialler.transport.dial(invited.address());
            return awaitConnected(new Pair(inviter.transport, dialler.transport, invited, dialled));
        }

        @Override
        public void close() {
            dialler.close();
            inviter.close();
        }
    }

    private static void until(String clauseId, String otherwise, Duration limit, BooleanSupplier condition) {
        long deadlineNs = System.nanoTime() + limit.toNanos();
        for (int looks = 0; !condition.getAsBoolean(); looks++) {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new ClauseFailure(clauseId, otherwise + " within " + limit + ".");
            }
            idle(looks);
        }
    }

    @Clause(
            id = "TRN-701",
            says = "registerWith registers what signals the arrival of a peer, or registers nothing and returns false",
            check = "that listening, arriving and dialling channels are registered, including those that are"
                    + " created later.")
    void selectorTellsThatAPeerArrives() {
        try (Two two = new Two()) {
            if (!two.inviter.isTold) {
                assertThat(two.inviter.selector.keys())
                        .as("keys of a transport that cannot signal")
                        .isEmpty();
                return;
            }
            Link invited = two.inviter.transport.invite();
            two.inviter.transport.doWork();
            Link dialled = two.dialler.transport.dial(invited.address());
            two.dialler.transport.doWork();
            until("TRN-701", "the ends, which work only on signals, did not find each other", limit(), () -> {
                two.inviter.drive();
                two.dialler.drive();
                return isConnected(invited) && isConnected(dialled);
            });
        }
    }

    private Duration limit() {
        return fixture().connectLimit();
    }

    @Clause(
            id = "TRN-702",
            says = "the selector signals each frame, by a key to which its link is attached",
            check = "that the channel of a link is registered as long as the link is open, with the link of the"
                    + " runtime as its attachment.")
    void selectorTellsOfEachFrame() {
        try (Two two = new Two().requireTold()) {
            ByteBuffer frame = FrameSource.allocate(100);
            for (LinkUse use : LinkUse.values()) {
                Pair pair = two.connect(use);
                for (int i = 0; i < FRAMES; i++) {
                    pass(frame, pair.invited(), pair.dialled(), two.dialler);
                    pass(frame, pair.dialled(), pair.invited(), two.inviter);
                }
            }
        }
    }

    private void pass(ByteBuffer frame, Link from, Link to, Waiting receiver) {
        send(from, frame, limit());
        until(
                "TRN-702",
                "the receiver, which polls only on signals, did not get the frame",
                limit(),
                () -> receiver.drive(to) && to.poll(IGNORE, 1) == 1);
    }

    @Clause(
            id = "TRN-703",
            says = "the selector signals when a conversation that rejected a frame accepts one again",
            check = "that after a rejected offer, the channel of the link is watched for room.")
    void selectorTellsOfRoom() {
        try (Two two = new Two().requireTold()) {
            Pair pair = two.connect(LinkUse.CONVERSATION);
            ByteBuffer frame = FrameSource.allocate(1024);
            until(
                    "TRN-301",
                    "the link was never full",
                    FILL_LIMIT,
                    () -> pair.invited().offer(frame) == OfferResult.BACK_PRESSURED);
            until("TRN-703", "no frame was accepted when it was offered on a signal", FILL_LIMIT, () -> {
                two.dialler.transport.doWork();
                pair.dialled().poll(IGNORE, 64);
                return two.inviter.drive(pair.invited()) && pair.invited().offer(frame) == OfferResult.ACCEPTED;
            });
        }
    }

    @Clause(
            id = "TRN-704",
            says = "the selector signals that the peer of a conversation has closed, and the work needed to close"
                    + " a link",
            check = "that a link which was closed by any thread is watched until its peer knows.")
    void selectorTellsOfTheEnd() {
        try (Two two = new Two().requireTold()) {
            for (LinkUse use : LinkUse.values()) {
                Pair pair = two.connect(use);
                pair.dialled().close();
                until(
                        "TRN-704",
                        "the other end, which works only on signals, was not closed",
                        fixture().closeNoticeLimit(),
                        () -> {
                            two.dialler.drive();
                            if (two.inviter.drive(pair.invited())) {
                                pair.invited().poll(IGNORE, 1);
                            }
                            return isClosed(pair.invited());
                        });
            }
        }
    }

    @Clause(
            id = "TRN-705",
            says = "nothing is ready when nothing happens, even while frames of an unwatched link for data are not"
                    + " read",
            check = "that a channel is watched for writing only while something waits to be written, and not for"
                    + " reading after unwatch.")
    void selectorIsSilentWhenNothingHappens() {
        try (Two two = new Two().requireTold()) {
            Pair pair = two.connect(LinkUse.CONVERSATION);
            Pair data = two.connect(LinkUse.DATA);
            data.dialled().unwatch();
            ByteBuffer frame = FrameSource.allocate(100);
            send(data.invited(), frame, limit());
            send(pair.invited(), frame, limit());
            int[] looks = new int[1];
            until(
                    "TRN-705",
                    "there were not " + QUIET_LOOKS + " looks in a row without a ready channel",
                    QUIET_LIMIT,
                    () -> {
                        boolean isInviterReady = two.inviter.drive();
                        boolean isReady = two.dialler.drive() || isInviterReady;
                        pair.dialled().poll(IGNORE, 1);
                        looks[0] = isReady ? 0 : looks[0] + 1;
                        return looks[0] == QUIET_LOOKS;
                    });
            assertThat(data.dialled().poll(IGNORE, 2))
                    .as("frames that were left")
                    .isEqualTo(1);
        }
    }

    @Clause(
            id = "TRN-706",
            says = "a transport continues to work after its selector was closed",
            check = "what registering throws then: ClosedSelectorException, or CancelledKeyException of a key.")
    void transportWorksOnWithoutItsSelector() {
        try (Two two = new Two().requireTold()) {
            worksOnWithoutItsSelector(two);
        } catch (ClosedSelectorException | CancelledKeyException e) {
            throw new ClauseFailure("TRN-706", "a transport whose selector was closed threw " + e + ".", e);
        }
    }

    private void worksOnWithoutItsSelector(Two two) {
        Pair before = two.connect(LinkUse.CONVERSATION);
        two.inviter.silence();
        two.dialler.silence();
        Pair after = two.connect(LinkUse.CONVERSATION);
        for (Pair pair : List.of(before, after)) {
            checkLinkWorks("TRN-706", pair.invited(), pair.dialled());
            pair.dialled().close();
            await("TRN-706", "the other end was not closed", fixture().closeNoticeLimit(), () -> {
                pair.invited().poll(IGNORE, 1);
                return isClosed(pair.invited());
            });
        }
    }
}
