// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.runtime.protocol.Encoders;
import io.fiber.runtime.protocol.Frames;
import io.fiber.runtime.protocol.Inbox;
import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.Outbox;
import io.fiber.runtime.protocol.TestLink;
import io.fiber.runtime.protocol.TestSeal;
import io.fiber.runtime.protocol.codec.CancelDecoder;
import io.fiber.runtime.protocol.codec.HeartbeatDecoder;
import io.fiber.spi.transport.LinkState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

    @Test
    void everyFrameRenewsTheLease() {
        for (int i = 0; i < 10; i++) {
            pass(LEASE.dividedBy(2));
            remote.inject(Frames.of(Messages.cancel(i, Messages.Running.INTERRUPTED)));
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

    /** All processes may have stood still, and a thread that sends may be the first to continue. */
    @Test
    void timeInWhichThisProcessStoodStillDoesNotCountAsSilenceIfAnotherThreadSendsFirst() {
        nowNs += LEASE.multipliedBy(5).toNanos();
        conductor.send(() -> {});
        conductor.doWork();
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
        assertThat(arrived).containsOnly(HeartbeatDecoder.TEMPLATE_ID).hasSizeBetween(4, 7);
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
        remote.inject(Frames.of(Messages.drain()));
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
        other.peer().inject(Frames.of(Messages.drain()));
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
        remote.inject(Frames.of(Messages.cancel(3, Messages.Running.INTERRUPTED)));
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
        remote.inject(Frames.of(Messages.cancel(1, Messages.Running.INTERRUPTED)));
        conductor.doWork();
        assertThat(recorder.messages).hasSize(1);
        assertThat(recorder.ends).containsExactly("The peer sent a frame that the peer did not seal.");
    }

    @Test
    void faultOfCodeInAMessageCostsThePeerItsLink() {
        recorder.throwsAt = CancelDecoder.TEMPLATE_ID;
        recorder.error = Optional.of(new NoSuchMethodError("com.acme.Missing.call()"));
        remote.inject(Frames.of(Messages.cancel(1, Messages.Running.INTERRUPTED)));
        conductor.doWork();
        assertThat(recorder.ends)
                .containsExactly("Its message 14 could not be handled: java.lang.NoSuchMethodError:"
                        + " com.acme.Missing.call()");
    }

    @Test
    void failureOfTheJvmInAMessageEndsTheConductor() {
        recorder.throwsAt = CancelDecoder.TEMPLATE_ID;
        recorder.error = Optional.of(new OutOfMemoryError("Java heap space"));
        remote.inject(Frames.of(Messages.cancel(1, Messages.Running.INTERRUPTED)));
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
