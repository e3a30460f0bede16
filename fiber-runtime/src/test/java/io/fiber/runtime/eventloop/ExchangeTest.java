// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.protocol.TestLink;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How long no cycle need follow another one. */
class ExchangeTest {

    private static final Duration LEASE = Duration.ofSeconds(20);

    private long nowNs = Long.MAX_VALUE - Duration.ofSeconds(30).toNanos();
    private final Exchange exchange = new Exchange(LEASE, nowNs);
    private final TestLink link = TestLink.pair(1024, TestLink.Reach.CONFINED);
    private final Peer peer = exchange.add(link, new Peer.Listener() {
        @Override
        public void onMessage(Peer from, Message message) {}

        @Override
        public void onGone(Peer gone, String reason) {}
    });

    /** A duty that does nothing, and wants cycles. */
    private record Waiting(AtomicBoolean isTimedNow, AtomicBoolean isUrgentNow) implements Duty {
        @Override
        public int doWork(long nowNs) {
            return 0;
        }

        @Override
        public boolean isTimed() {
            return isTimedNow.get();
        }

        @Override
        public boolean isUrgent() {
            return isUrgentNow.get();
        }
    }

    private long restNsAfter(Duration time) {
        nowNs += time.toNanos();
        exchange.run(nowNs, null);
        return exchange.restNs;
    }

    @Test
    void restGrowsWithTheSilenceUpToAShareOfTheLease() {
        restNsAfter(Duration.ZERO);
        long atFirst = restNsAfter(Duration.ofMillis(1));
        long later = restNsAfter(Duration.ofMillis(100));
        assertThat(atFirst).isPositive();
        assertThat(later).isGreaterThan(atFirst);
        restNsAfter(Duration.ofSeconds(1));
        assertThat(restNsAfter(Duration.ofSeconds(10))).isBetween(later, LEASE.toNanos() / 10);
    }

    /** Firewalls forget silent connections, and duties count on a cycle now and then. */
    @Test
    void dayLongLeaseLeavesNoLongSilence() {
        Exchange patient = new Exchange(Duration.ofDays(1), nowNs);
        TestLink longLived = TestLink.pair(1024, TestLink.Reach.CONFINED);
        patient.add(longLived, new Peer.Listener() {
                    @Override
                    public void onMessage(Peer from, Message message) {}

                    @Override
                    public void onGone(Peer gone, String reason) {}
                })
                .trust(1 << 20);
        for (int minute = 0; minute < 10; minute++) {
            nowNs += Duration.ofMinutes(1).toNanos();
            patient.run(nowNs, null);
            assertThat(patient.restNs).isLessThanOrEqualTo(Duration.ofSeconds(5).toNanos());
        }

        AtomicInteger heartbeats = new AtomicInteger();
        longLived.peer().poll((frame, offset, length) -> heartbeats.incrementAndGet(), 100);
        assertThat(heartbeats.get()).isBetween(9, 10);
    }

    @Test
    void restIsShorterWhileSomethingIsTimedAndShortestWhileItIsUrgent() {
        Waiting duty = new Waiting(new AtomicBoolean(), new AtomicBoolean());
        exchange.duties.add(duty);
        restNsAfter(Duration.ZERO);
        long untimed = restNsAfter(Duration.ofMillis(100));
        duty.isTimedNow.set(true);
        long timed = restNsAfter(Duration.ZERO);
        duty.isUrgentNow.set(true);
        long urgent = restNsAfter(Duration.ZERO);

        assertThat(urgent).isPositive();
        assertThat(timed).isGreaterThan(urgent);
        assertThat(untimed).isGreaterThan(timed);
    }

    @Test
    void restEndsWhenAHeartbeatIsDueAndACycleBeforeThatSendsItEarlier() {
        peer.trust(1 << 20);
        restNsAfter(Duration.ZERO);
        restNsAfter(Duration.ZERO);
        long heartbeatNs = LEASE.toNanos() / 10;
        assertThat(restNsAfter(Duration.ofNanos(heartbeatNs * 7 / 10))).isBetween(1L, heartbeatNs * 3 / 10);
        assertThat(restNsAfter(Duration.ofNanos(heartbeatNs / 10))).isGreaterThan(heartbeatNs * 3 / 10);
    }

    @Test
    void cycleThatReadsAllItMayOfAPeerIsFollowedByAnother() {
        restNsAfter(Duration.ZERO);
        for (int i = 0; i < 100; i++) {
            link.peer()
                    .inject(new io.fiber.runtime.protocol.Frames()
                            .add(Messages.cancel(1, Messages.Running.INTERRUPTED))
                            .toFrame());
        }
        assertThat(restNsAfter(Duration.ZERO)).isZero();
        assertThat(exchange.run(nowNs, new Selection.Ready())).isPositive();
        assertThat(exchange.restNs).isPositive();
    }

    /** A payload of more frames than leave in one cycle, and a message behind it that is refused until it has left. */
    @Test
    void cyclesFollowUntilWhatWasRefusedHasLeft() {
        AtomicInteger taken = new AtomicInteger();
        Outgoing large = Messages.define(1, SealedPayload.open(Payload.of(new byte[150 * 1024])));
        restNsAfter(Duration.ZERO);
        exchange.duties.add(now -> {
            while (taken.get() < 2 && peer.offer(taken.get() == 0 ? large : Messages.drain())) {
                taken.incrementAndGet();
            }
            return 0;
        });
        for (int i = 0; i < 10 && restNsAfter(Duration.ZERO) == 0; i++) {
            assertThat(taken.get()).isPositive();
        }
        assertThat(taken).hasValue(2);
        assertThat(peer.isFlushed()).isTrue();
    }

    /** Its channel signals that there is room; a cycle that is due all the time would not help. */
    @Test
    void fullLinkIsNotFollowedByACycleAtOnce() {
        AtomicBoolean hasRoom = new AtomicBoolean();
        link.room(hasRoom::get);
        restNsAfter(Duration.ZERO);
        peer.post(Messages.drain());
        assertThat(restNsAfter(Duration.ZERO)).isPositive();
        assertThat(exchange.isUnsent).isTrue();

        hasRoom.set(true);
        restNsAfter(Duration.ZERO);
        assertThat(exchange.isUnsent).isFalse();
    }
}
