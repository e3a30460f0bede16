// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.runtime.protocol.Encoders;
import io.fiber.runtime.protocol.Frames;
import io.fiber.runtime.protocol.Inbox;
import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.Outbox;
import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.protocol.TestLink;
import io.fiber.runtime.protocol.TestSeal;
import io.fiber.runtime.protocol.codec.CancelDecoder;
import io.fiber.runtime.protocol.codec.HeartbeatDecoder;
import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.NanoClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Leases, heartbeats and the end of peers, with a clock that the test turns. */
class ConductorTest {

    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final Duration TICK = Duration.ofMillis(500);

    private long nowNs = Long.MAX_VALUE - Duration.ofSeconds(30).toNanos();
    private final Conductor conductor = new Conductor("test", () -> nowNs, LEASE);
    private final Recorder recorder = new Recorder();
    private final TestLink link = TestLink.pair(1024, TestLink.Reach.OPEN);
    private final TestLink remote = link.peer();
    private final List<Integer> arrived = new ArrayList<>();
    private final Inbox remoteInbox = new Inbox(message -> arrived.add(message.templateId()), 1 << 20);
    private Peer peer;

    /** Remembers what it was told, and may throw. */
    private static final class Recorder implements Peer.Listener {
        private final List<Integer> messages = new ArrayList<>();
        private final List<String> ends = new ArrayList<>();
        private int throwsAt = -1;
        private int closesAt = -1;
        private Optional<Error> error = Optional.empty();

        @Override
        public void onMessage(Peer peer, Message message) {
            messages.add(message.templateId());
            if (message.templateId() == CancelDecoder.TEMPLATE_ID) {
                message.as(new CancelDecoder());
            }
            if (message.templateId() == throwsAt && error.isPresent()) {
                throw error.get();
            }
            if (message.templateId() == throwsAt) {
                throw new IllegalStateException("a bug");
            }
            if (message.templateId() == closesAt) {
                peer.close("enough");
            }
        }

        @Override
        public void onGone(Peer peer, String reason) {
            ends.add(reason);
        }
    }

    @BeforeEach
    void addPeer() {
        conductor.onStart();
        peer = conductor.addPeer(link, recorder);
        conductor.doWork();
    }

    private void pass(Duration time) {
        for (long left = time.toNanos(); left > 0; left -= TICK.toNanos()) {
            nowNs += TICK.toNanos();
            conductor.doWork();
        }
    }

    @Test
    void silentPeerIsGoneAfterTheLeaseAndItsOwnerIsToldOnce() {
        pass(LEASE);
        assertThat(recorder.ends).isEmpty();
        pass(TICK);
        assertThat(recorder.ends).containsExactly("It was silent for more than 20000 ms.");
        assertThat(link.state()).isEqualTo(LinkState.CLOSED);
        assertThat(peer.isClosed()).isTrue();
        pass(LEASE);
        assertThat(recorder.ends).hasSize(1);
    }

    /** Counts the cycles of a conductor whose one peer is in the same memory. */
    private static final class Quiet {
        private final AtomicInteger cycles = new AtomicInteger();
        private final TestLink link = TestLink.pair(1024, TestLink.Reach.CONFINED);
        private final Recorder recorder = new Recorder();
        private final Conductor conductor;
        private final Peer peer;

        Quiet(NanoClock clock) {
            conductor = new Conductor("quiet", clock, LEASE);
            conductor.onStart();
            peer = conductor.addPeer(link, recorder);
            conductor.addDuty(now -> {
                cycles.incrementAndGet();
                return 0;
            });
            conductor.doWork();
            conductor.doWork();
            cycles.set(0);
        }

        int look() {
            return conductor.look();
        }

        void isSentAMessage() {
            byte[] frame = new Frames()
                    .add(Messages.cancel(1, Messages.Running.INTERRUPTED))
                    .toFrame();
            link.peer().inject(frame);
        }
    }

    @Test
    void lookAfterAQuietCycleOnlyReadsThePeers() {
        Quiet quiet = new Quiet(() -> nowNs);

        assertThat(quiet.look()).isZero();
        nowNs += Duration.ofMillis(3).toNanos();
        assertThat(quiet.look()).isZero();
        assertThat(quiet.cycles).hasValue(0);

        nowNs += Duration.ofMillis(1).toNanos();
        quiet.look();
        assertThat(quiet.cycles).as("after 4 ms").hasValue(1);
    }

    @Test
    void lookThatFindsAFrameDoesTheRestOfTheCycle() {
        Quiet quiet = new Quiet(() -> nowNs);
        quiet.isSentAMessage();

        assertThat(quiet.look()).isPositive();
        assertThat(quiet.recorder.messages).containsExactly(CancelDecoder.TEMPLATE_ID);
        assertThat(quiet.cycles).hasValue(1);
        assertThat(quiet.look()).isZero();
        assertThat(quiet.cycles).hasValue(1);
    }

    /** Only full cycles measure how long to rest. */
    @Test
    void lookAfterACycleThatHasReadIsACycle() {
        Quiet quiet = new Quiet(() -> nowNs);
        quiet.isSentAMessage();

        assertThat(quiet.conductor.doWork()).isPositive();
        assertThat(quiet.cycles).hasValue(1);
        quiet.look();
        assertThat(quiet.cycles).hasValue(2);
        quiet.look();
        assertThat(quiet.cycles).hasValue(2);
    }

    @Test
    void lookAfterACommandOrACallIsACycle() {
        Quiet quiet = new Quiet(() -> nowNs);
        AtomicBoolean ran = new AtomicBoolean();

        quiet.conductor.executeWithNext(() -> ran.set(true));
        quiet.look();
        assertThat(ran).isTrue();
        assertThat(quiet.cycles).hasValue(1);

        quiet.look();
        quiet.look();
        assertThat(quiet.cycles).as("the one behind the command").hasValue(2);
        quiet.conductor.wake();
        quiet.look();
        assertThat(quiet.cycles).hasValue(3);
    }

    @Test
    void lookIsACycleAsLongAsSomethingWaitsToBeSentOrAPeerToConnect() {
        Quiet quiet = new Quiet(() -> nowNs);
        AtomicBoolean hasRoom = new AtomicBoolean();
        quiet.link.room(hasRoom::get);
        quiet.conductor.execute(() -> quiet.peer.post(Messages.cancel(1, Messages.Running.INTERRUPTED)));
        for (int i = 0; i < 5; i++) {
            quiet.look();
        }
        assertThat(quiet.cycles).hasValue(5);

        hasRoom.set(true);
        quiet.look();
        quiet.look();
        int settled = quiet.cycles.get();
        quiet.look();
        assertThat(quiet.cycles).hasValue(settled);

        TestLink invited = TestLink.pair(1024, TestLink.Reach.CONFINED);
        invited.state(LinkState.CONNECTING);
        quiet.conductor.execute(() -> quiet.conductor.addPeer(invited, new Recorder()));
        for (int i = 0; i < 5; i++) {
            quiet.look();
        }
        assertThat(quiet.cycles).hasValue(settled + 5);
    }

    /** Counts how often it is driven. */
    private record CountingTransport(AtomicInteger drives) implements Transport {
        @Override
        public Link invite(LinkUse use) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Link dial(Address address) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int doWork() {
            drives.incrementAndGet();
            return 0;
        }

        @Override
        public Map<String, Long> counters() {
            return Map.of();
        }

        @Override
        public void close() {}
    }

    @Test
    void cycleThatSendsDrivesOnlyNowAndThen() {
        Quiet quiet = new Quiet(() -> nowNs);
        AtomicInteger drives = new AtomicInteger();
        quiet.conductor.addTransport(new CountingTransport(drives));

        quiet.conductor.send();
        nowNs += Duration.ofMillis(3).toNanos();
        quiet.conductor.send();
        assertThat(quiet.cycles).hasValue(2);
        assertThat(drives).hasValue(0);

        nowNs += Duration.ofMillis(1).toNanos();
        quiet.conductor.send();
        assertThat(drives).as("after 4 ms").hasValue(1);
    }

    @Test
    void cycleThatSendsDrivesAsLongAsSomethingHasNotLeftOrIsNew() {
        Quiet quiet = new Quiet(() -> nowNs);
        AtomicInteger drives = new AtomicInteger();
        quiet.conductor.addTransport(new CountingTransport(drives));
        AtomicBoolean hasRoom = new AtomicBoolean();
        quiet.link.room(hasRoom::get);
        quiet.conductor.execute(() -> quiet.peer.post(Messages.cancel(1, Messages.Running.INTERRUPTED)));

        quiet.conductor.send();
        assertThat(drives).hasValue(0);
        quiet.conductor.send();
        quiet.conductor.send();
        assertThat(drives).hasValue(2);
        hasRoom.set(true);
        quiet.conductor.send();
        quiet.conductor.send();
        assertThat(drives).hasValue(3);

        quiet.conductor.later(() -> {});
        quiet.conductor.send();
        assertThat(drives).hasValue(4);
    }

    @Test
    void lookAfterACycleThatHasOnlySentIsALook() {
        Quiet quiet = new Quiet(() -> nowNs);
        AtomicBoolean posts = new AtomicBoolean(true);
        quiet.conductor.addDuty(now -> {
            if (posts.getAndSet(false)) {
                quiet.peer.post(Messages.cancel(1, Messages.Running.INTERRUPTED));
            }
            return 0;
        });

        assertThat(quiet.conductor.doWork()).isPositive();
        assertThat(quiet.cycles).hasValue(1);
        quiet.look();
        assertThat(quiet.cycles).hasValue(1);
    }

    /** A payload of more frames than leave in one cycle, and a message behind it that is refused until it has left. */
    @Test
    void lookIsACycleWhenThereIsRoomAgainForWhatWasRefused() {
        Quiet quiet = new Quiet(() -> nowNs);
        AtomicInteger taken = new AtomicInteger();
        Outgoing large = Messages.define(1, SealedPayload.open(Payload.of(new byte[150 * 1024])));
        quiet.conductor.addDuty(now -> {
            while (taken.get() < 2 && quiet.peer.offer(taken.get() == 0 ? large : Messages.drain())) {
                taken.incrementAndGet();
            }
            return 0;
        });

        quiet.conductor.doWork();
        assertThat(taken).hasValue(1);
        for (int i = 0; i < 10 && taken.get() < 2; i++) {
            quiet.look();
        }
        assertThat(taken).hasValue(2);
        quiet.look();
        int settled = quiet.cycles.get();
        quiet.look();
        assertThat(quiet.cycles).hasValue(settled);
    }

    /** A sender of a great message fills its log again and again; only a drive gives it room. */
    @Test
    void lookThatHasReadMuchIsFollowedByADriveAtOnce() {
        Quiet quiet = new Quiet(() -> nowNs);
        AtomicInteger drives = new AtomicInteger();
        quiet.conductor.addTransport(new CountingTransport(drives));
        Frames messages = new Frames();
        for (int i = 0; i < 30; i++) {
            messages.add(Messages.cancel(1, Messages.Running.INTERRUPTED));
        }
        byte[] frame = messages.toFrame();
        int most = (16 << 10) / frame.length;
        for (int i = 0; i < most; i++) {
            quiet.link.peer().inject(frame);
        }

        assertThat(quiet.look()).isPositive();
        assertThat(quiet.look()).isZero();
        assertThat(drives).as("half of a log, read by a look").hasValue(0);

        quiet.link.peer().inject(frame);
        assertThat(quiet.look()).isPositive();
        assertThat(quiet.look()).isZero();
        assertThat(drives).as("more than half of it").hasValue(1);
    }

    /** A thread that waits runs cycles, too, but does not drive the transports. */
    @Test
    void lookDrivesTheTransportsHoweverOftenAThreadThatWaitsExchangesFrames() throws InterruptedException {
        AtomicLong timeNs = new AtomicLong();
        Quiet quiet = new Quiet(timeNs::get);
        AtomicInteger drives = new AtomicInteger();
        quiet.conductor.addTransport(new CountingTransport(drives));
        CompletableFuture<Waiter> waiter = new CompletableFuture<>();
        Thread waiting = new Thread(() -> {
            waiter.complete(new Waiter());
            try {
                quiet.conductor.await(() -> {}, waiter.join(), Long.MAX_VALUE);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        waiting.start();
        try {
            for (int round = 1; round <= 20; round++) {
                timeNs.addAndGet(Duration.ofMillis(5).toNanos());
                int before = quiet.cycles.get();
                while (quiet.cycles.get() == before) {
                    quiet.conductor.wake();
                    Thread.onSpinWait();
                }
                // A look does nothing while the other thread is in a cycle.
                long untilNs = System.nanoTime() + Duration.ofMinutes(1).toNanos();
                while (drives.get() < round && System.nanoTime() < untilNs) {
                    quiet.look();
                }
                assertThat(drives).as("after round " + round).hasValueGreaterThanOrEqualTo(round);
            }
        } finally {
            waiter.join().end();
            waiting.join();
        }
    }

    @Test
    void lookIsACycleAsLongAsADutyWantsEveryOne() {
        Quiet quiet = new Quiet(() -> nowNs);
        AtomicBoolean wants = new AtomicBoolean(true);
        quiet.conductor.addDuty(new Duty() {
            @Override
            public int doWork(long now) {
                return 0;
            }

            @Override
            public boolean wantsEveryCycle() {
                return wants.get();
            }
        });
        quiet.conductor.doWork();
        quiet.cycles.set(0);

        quiet.look();
        quiet.look();
        assertThat(quiet.cycles).hasValue(2);
        wants.set(false);
        quiet.look();
        quiet.look();
        assertThat(quiet.cycles).hasValue(3);
    }

    /** What comes over a socket is there only when its transport has been driven. */
    @Test
    void lookIsACycleWithAPeerOverTheNetwork() {
        AtomicInteger cycles = new AtomicInteger();
        conductor.addDuty(now -> {
            cycles.incrementAndGet();
            return 0;
        });
        for (int i = 0; i < 5; i++) {
            conductor.look();
        }
        assertThat(cycles).hasValue(5);
    }

    /** Another thread may be in a cycle by then, and change the duties. */
    @Test
    void idlingThreadAsksNoDuty() {
        AtomicBoolean inCycle = new AtomicBoolean();
        AtomicInteger asked = new AtomicInteger();
        conductor.addDuty(new Duty() {
            @Override
            public int doWork(long now) {
                inCycle.set(true);
                return 0;
            }

            @Override
            public Expected expected() {
                assertThat(inCycle).as("in a cycle").isTrue();
                asked.incrementAndGet();
                return Expected.ANSWER;
            }
        });
        conductor.doWork();
        inCycle.set(false);

        for (int i = 0; i < 50; i++) {
            conductor.idleStrategy().idle(0);
        }
        assertThat(asked).hasPositiveValue();
    }

    @Test
    void everyFrameRenewsTheLease() {
        for (int i = 0; i < 10; i++) {
            pass(LEASE.dividedBy(2));
            remote.inject(new Frames()
                    .add(Messages.cancel(i, Messages.Running.INTERRUPTED))
                    .toFrame());
        }
        pass(LEASE.dividedBy(2));
        assertThat(recorder.ends).isEmpty();
        assertThat(recorder.messages).hasSize(10).containsOnly(CancelDecoder.TEMPLATE_ID);
    }

    @Test
    void timeInWhichThisProcessStoodStillDoesNotCountAsSilence() {
        pass(LEASE.dividedBy(2));
        nowNs += LEASE.multipliedBy(5).toNanos();
        conductor.doWork();
        pass(LEASE.dividedBy(2));
        assertThat(recorder.ends).isEmpty();
        pass(TICK);
        assertThat(recorder.ends).hasSize(1);
    }

    /** All processes may have stood still, and a thread that waits or commands may be the first to go on. */
    @Test
    void timeInWhichThisProcessStoodStillDoesNotCountAsSilenceToAThreadThatExchangesFirst() {
        nowNs += LEASE.multipliedBy(5).toNanos();
        conductor.exchangeForWaiter();
        assertThat(recorder.ends).isEmpty();
        nowNs += LEASE.multipliedBy(5).toNanos();
        Thread sleeping = new Thread(() -> conductor.idleStrategy().idle(0));
        conductor.idleStrategy().looked(1_000_000_000, 0, nowNs - LEASE.toNanos());
        sleeping.start();
        await().until(conductor.idleStrategy()::isAsleep);
        conductor.executeSoon(() -> {});
        assertThat(recorder.ends).isEmpty();
        pass(LEASE.plus(TICK));
        assertThat(recorder.ends).hasSize(1);
    }

    @Test
    void delaysBelowATenthOfTheLeaseAreNotForgiven() {
        for (int i = 0; i < 11; i++) {
            nowNs += LEASE.dividedBy(10).toNanos();
            conductor.doWork();
        }
        assertThat(recorder.ends).hasSize(1);
    }

    @Test
    void peerThatHasNotArrivedYetHasNoLease() {
        TestLink waiting = TestLink.pair(1024, TestLink.Reach.OPEN);
        waiting.state(LinkState.CONNECTING);
        Recorder later = new Recorder();
        Peer late = conductor.addPeer(waiting, later);
        late.post(Messages.drain());
        pass(LEASE.multipliedBy(3));
        assertThat(later.ends).isEmpty();
        assertThat(waiting.sent()).isEmpty();
        waiting.state(LinkState.CONNECTED);
        pass(LEASE);
        assertThat(waiting.sent()).hasSize(1);
        assertThat(later.ends).isEmpty();
        pass(TICK.multipliedBy(2));
        assertThat(later.ends).hasSize(1);
    }

    @Test
    void provenPeerHearsAHeartbeatEachTenthOfTheLeaseAndAStrangerNothing() {
        pass(LEASE.dividedBy(2));
        assertThat(link.sent()).isEmpty();
        peer.trust(1 << 20);
        arrived.clear();
        pass(LEASE.dividedBy(2).minus(TICK));
        remote.poll(remoteInbox, 100);
        assertThat(arrived).containsOnly(HeartbeatDecoder.TEMPLATE_ID).hasSizeBetween(4, 6);
    }

    @Test
    void heartbeatOfAPeerKeepsItAliveAndIsNoWork() {
        conductor.doWork();
        for (int beat = 0; beat < 4; beat++) {
            nowNs += LEASE.dividedBy(11).toNanos();
            remote.inject(heartbeat(beat));
            assertThat(conductor.doWork()).isZero();
        }
        nowNs += LEASE.dividedBy(11).toNanos();
        remote.inject(new Frames().add(Messages.drain()).toFrame());
        assertThat(conductor.doWork()).isPositive();
        assertThat(recorder.ends).isEmpty();
    }

    private static byte[] heartbeat(long sequence) {
        TestLink from = TestLink.pair(1024, TestLink.Reach.OPEN);
        new Outbox(from, new Encoders()).flush(sequence, 0);
        return from.sent().remove();
    }

    @Test
    void peerThatSendsNonsenseLosesItsLinkAndNobodyElseAnything() {
        TestLink other = TestLink.pair(1024, TestLink.Reach.OPEN);
        Recorder bystander = new Recorder();
        conductor.addPeer(other, bystander);
        remote.inject(new byte[] {1, 2, 3, 4, 5});
        conductor.doWork();
        assertThat(recorder.ends).hasSize(1).first().asString().startsWith("The peer sent ");
        assertThat(peer.hasSentFault()).isTrue();
        other.peer().inject(new Frames().add(Messages.drain()).toFrame());
        conductor.doWork();
        assertThat(bystander.messages).hasSize(1);
        assertThat(bystander.ends).isEmpty();
    }

    @Test
    void messageThatCannotBeHandledCostsThePeerItsLink() {
        recorder.throwsAt = CancelDecoder.TEMPLATE_ID;
        remote.inject(new Frames()
                .add(Messages.cancel(1, Messages.Running.INTERRUPTED))
                .add(Messages.drain())
                .toFrame());
        conductor.doWork();
        assertThat(recorder.messages).containsExactly(CancelDecoder.TEMPLATE_ID);
        assertThat(recorder.ends)
                .containsExactly("Its message 14 could not be handled: java.lang.IllegalStateException: a bug");
    }

    @Test
    void messageShorterThanItsKindIsAFaultOfThePeer() {
        remote.inject(new Frames()
                .add(CancelDecoder.TEMPLATE_ID, CancelDecoder.BLOCK_LENGTH - 1, 0, 0, new byte[0])
                .add(Messages.drain())
                .toFrame());
        conductor.doWork();
        assertThat(recorder.messages).containsExactly(CancelDecoder.TEMPLATE_ID);
        assertThat(recorder.ends)
                .containsExactly(
                        "The peer sent a message 14 of schema 71 and " + (CancelDecoder.BLOCK_LENGTH - 1) + " bytes.");
        assertThat(peer.hasSentFault()).isTrue();
    }

    @Test
    void nothingIsHandedOverAfterTheLinkWasClosed() {
        recorder.closesAt = CancelDecoder.TEMPLATE_ID;
        remote.inject(new Frames()
                .add(Messages.cancel(1, Messages.Running.INTERRUPTED))
                .add(Messages.cancel(2, Messages.Running.INTERRUPTED))
                .toFrame());
        remote.inject(new Frames()
                .add(Messages.cancel(3, Messages.Running.INTERRUPTED))
                .toFrame());
        conductor.doWork();
        assertThat(recorder.messages).hasSize(1);
        assertThat(recorder.ends).containsExactly("enough");
        assertThat(peer.offer(Messages.drain())).isFalse();
    }

    @Test
    void sealedPeerIsClosedAtTheFirstFrameThatItDidNotSeal() {
        peer.openWith(new TestSeal());
        remote.inject(new Frames()
                .add(Messages.cancel(1, Messages.Running.INTERRUPTED))
                .toFrame(new TestSeal()));
        conductor.doWork();
        assertThat(recorder.messages).hasSize(1);
        remote.inject(new Frames()
                .add(Messages.cancel(1, Messages.Running.INTERRUPTED))
                .toFrame());
        conductor.doWork();
        assertThat(recorder.messages).hasSize(1);
        assertThat(recorder.ends).containsExactly("The peer sent a frame that the peer did not seal.");
    }

    @Test
    void faultOfCodeInAMessageCostsThePeerItsLink() {
        recorder.throwsAt = CancelDecoder.TEMPLATE_ID;
        recorder.error = Optional.of(new NoSuchMethodError("com.acme.Missing.call()"));
        remote.inject(new Frames()
                .add(Messages.cancel(1, Messages.Running.INTERRUPTED))
                .toFrame());
        conductor.doWork();
        assertThat(recorder.ends)
                .containsExactly("Its message 14 could not be handled: java.lang.NoSuchMethodError:"
                        + " com.acme.Missing.call()");
    }

    @Test
    void failureOfTheJvmInAMessageEndsTheConductor() {
        recorder.throwsAt = CancelDecoder.TEMPLATE_ID;
        recorder.error = Optional.of(new OutOfMemoryError("Java heap space"));
        remote.inject(new Frames()
                .add(Messages.cancel(1, Messages.Running.INTERRUPTED))
                .toFrame());
        assertThatThrownBy(conductor::doWork).isSameAs(recorder.error.get());
    }

    @Test
    void endThatLacksMemoryIsTriedAgainUntilAllIsEnded() {
        List<String> tries = new ArrayList<>();
        conductor.addDuty(new Duty() {
            @Override
            public int doWork(long now) {
                return 0;
            }

            @Override
            public void onClose() {
                tries.add("onClose");
                if (tries.size() < 3) {
                    throw new OutOfMemoryError("Java heap space");
                }
            }
        });

        conductor.onClose();

        assertThat(tries).hasSize(3);
        assertThat(recorder.ends).containsExactly("This process ends.");
    }

    @Test
    void commandsRunInTheNextCycleAndNoneAfterTheEnd() {
        List<String> ran = new ArrayList<>();
        assertThat(conductor.execute(() -> {
                    throw new IllegalStateException("a command that fails harms no other");
                }))
                .isTrue();
        assertThat(conductor.execute(() -> ran.add("one"))).isTrue();
        assertThat(ran).isEmpty();
        conductor.doWork();
        assertThat(ran).containsExactly("one");
        conductor.execute(() -> ran.add("two"));
        conductor.onClose();
        assertThat(ran).containsExactly("one", "two");
        assertThat(recorder.ends).containsExactly("This process ends.");
        assertThat(conductor.execute(() -> ran.add("three"))).isFalse();
    }
}
