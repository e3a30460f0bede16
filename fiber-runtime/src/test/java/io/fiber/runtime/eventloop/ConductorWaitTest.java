// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.runtime.protocol.Frames;
import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.TestLink;
import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How a conductor waits for transports that tell when they have something. What wakes it is lost in no order of events. */
class ConductorWaitTest {

    /** A twentieth of it, after which a cycle comes anyway, is longer than any test may take. */
    private static final Duration LEASE = Duration.ofDays(1);

    private static final Duration SILENCE = Duration.ofMillis(21);
    private static final int ROUNDS = 3_000;
    private static final byte[] FRAME =
            new Frames().add(Messages.cancel(1, Messages.Running.INTERRUPTED)).toFrame();

    /** A transport that is told by a byte that there is something to do. */
    private static final class BellTransport implements Transport {
        private final Pipe pipe = open();
        private final AtomicBoolean isRung = new AtomicBoolean();
        private final ByteBuffer taken = ByteBuffer.allocate(16);
        private volatile boolean tells = true;

        private static Pipe open() {
            try {
                Pipe opened = Pipe.open();
                opened.source().configureBlocking(false);
                return opened;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void ring() {
            if (isRung.compareAndSet(false, true)) {
                try {
                    pipe.sink().write(ByteBuffer.wrap(new byte[1]));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        @Override
        public boolean registerWith(Selector selector) {
            try {
                if (tells) {
                    pipe.source().register(selector, SelectionKey.OP_READ);
                }
                return tells;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public int doWork() {
            try {
                int bytes = pipe.source().read(taken.clear());
                if (bytes > 0) {
                    isRung.set(false);
                }
                return Math.max(bytes, 0);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public Link invite(LinkUse use) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Link dial(Address address) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Map<String, Long> counters() {
            return Map.of();
        }

        @Override
        public void close() {
            try {
                pipe.sink().close();
                pipe.source().close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Counts cycles, and says what it wants. */
    private static final class Counting implements Duty {
        private final AtomicInteger cycles = new AtomicInteger();
        private volatile boolean wantsAll;
        private volatile boolean isTimed;

        @Override
        public int doWork(long now) {
            cycles.incrementAndGet();
            return 0;
        }

        @Override
        public boolean wantsEveryCycle() {
            return wantsAll;
        }

        @Override
        public boolean isTimed() {
            return isTimed;
        }
    }

    private final AtomicLong nowNs = new AtomicLong();
    private final Conductor conductor = new Conductor("waits", nowNs::get, LEASE);
    private final BellTransport transport = new BellTransport();
    private final Counting duty = new Counting();
    private final Semaphore heard = new Semaphore(0);
    private final TestLink link = TestLink.pair(1024, TestLink.Reach.CONFINED);
    private final Peer peer = conductor.addPeer(link, new Peer.Listener() {
        @Override
        public void onMessage(Peer from, Message message) {
            onHeard.run();
            heard.release();
        }

        @Override
        public void onGone(Peer gone, String reason) {}
    });

    private volatile Runnable onHeard = () -> {};
    private volatile boolean running = true;
    private final Thread thread = new Thread(this::conduct, "conductor-of-a-test");

    private void conduct() {
        while (running) {
            conductor.idleStrategy().idle(conductor.look());
        }
    }

    @AfterEach
    void end() throws InterruptedException {
        running = false;
        conductor.wake();
        thread.join();
        conductor.onClose();
    }

    private void begin() {
        conductor.onStart();
        conductor.addTransport(transport);
        conductor.addDuty(duty);
        conductor.doWork();
        conductor.doWork();
        nowNs.addAndGet(SILENCE.toNanos());
        conductor.doWork();
    }

    private void cycleLater() {
        nowNs.addAndGet(Duration.ofMillis(5).toNanos());
        conductor.doWork();
    }

    @Test
    void conductorIsLeftAloneWhenNothingIsDue() {
        begin();
        assertThat(conductor.aloneNs()).isEqualTo(LEASE.toNanos() / 20);
        duty.isTimed = true;
        cycleLater();
        assertThat(conductor.aloneNs()).isEqualTo(TransportWait.TIMED);
        duty.wantsAll = true;
        cycleLater();
        assertThat(conductor.aloneNs()).isEqualTo(TransportWait.NONE);
    }

    @Test
    void conductorOfATransportThatTellsNothingIsNeverLeftAlone() {
        transport.tells = false;
        begin();
        assertThat(conductor.canWait()).isFalse();
    }

    @Test
    void conductorLooksAgainWhenATransportIsAddedThatTellsNothing() {
        begin();
        assertThat(conductor.canWait()).isTrue();
        BellTransport other = new BellTransport();
        other.tells = false;
        conductor.addTransport(other);
        cycleLater();
        assertThat(conductor.canWait()).isFalse();
    }

    @Test
    void conductorIsLeftAloneUntilTheNextHeartbeat() {
        peer.trust(1 << 20);
        begin();
        Duration passed = LEASE.dividedBy(10).minusSeconds(10);
        nowNs.addAndGet(passed.toNanos());
        conductor.doWork();
        assertThat(conductor.aloneNs()).isBetween(1L, Duration.ofSeconds(10).toNanos());
    }

    @Test
    void waitingConductorMakesNoCycleUntilSomethingComes() throws InterruptedException {
        begin();
        thread.start();
        for (int round = 0; round < 20; round++) {
            await().until(conductor.idleStrategy()::isAsleep);
            int cycles = duty.cycles.get();
            link.peer().inject(FRAME);
            transport.ring();
            assertThat(heard.tryAcquire(1, TimeUnit.MINUTES)).isTrue();
            await().until(conductor.idleStrategy()::isAsleep);
            assertThat(duty.cycles.get() - cycles).as("cycles for one frame").isBetween(1, 10);
        }
    }

    @Test
    void noFrameAndNoCommandIsMissed() throws InterruptedException {
        begin();
        thread.start();
        Thread commanding = new Thread(() -> {
            for (int round = 0; round < ROUNDS; round++) {
                CountDownLatch ran = new CountDownLatch(1);
                if (round % 2 == 0) {
                    conductor.execute(ran::countDown);
                } else {
                    conductor.executeWithNext(ran::countDown);
                }
                awaitUninterruptibly(ran);
            }
        });
        commanding.start();
        for (int round = 0; round < ROUNDS; round++) {
            link.peer().inject(FRAME);
            transport.ring();
            assertThat(heard.tryAcquire(1, TimeUnit.MINUTES))
                    .as("round " + round)
                    .isTrue();
        }
        commanding.join();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The waiting thread takes the place of the conductor's own, which gets it back. */
    @Test
    void threadThatWaitsMissesNoAnswer() throws InterruptedException {
        begin();
        thread.start();
        for (int round = 0; round < ROUNDS; round++) {
            Waiter waiter = new Waiter();
            onHeard = waiter::end;
            Runnable first = () -> {
                link.peer().inject(FRAME);
                transport.ring();
            };
            assertThat(conductor.await(first, waiter, TimeUnit.MINUTES.toNanos(1)))
                    .as("round " + round)
                    .isTrue();
        }
    }

    @Test
    void threadThatWaitsIsWokenByTheOneThatBringsItsAnswer() throws InterruptedException {
        begin();
        thread.start();
        for (int round = 0; round < ROUNDS; round++) {
            Waiter waiter = new Waiter();
            Thread answering = new Thread(waiter::end);
            assertThat(conductor.await(answering::start, waiter, TimeUnit.MINUTES.toNanos(1)))
                    .as("round " + round)
                    .isTrue();
            answering.join();
        }
    }

    @Test
    void threadSleepsLongOnlyWhileAnotherWaitsForTheTransports() throws InterruptedException {
        TransportWait wait = new TransportWait(() -> false);
        wait.askOnce(List.of(transport));
        wait.leaveAlone(Duration.ofMinutes(1).toNanos());
        ConductorIdle standing = new ConductorIdle(nowNs::get, () -> Expected.NOTHING, wait, ConductorIdle.Rank.MAIN);
        ConductorIdle leading = new ConductorIdle(nowNs::get, () -> Expected.NOTHING, wait, ConductorIdle.Rank.LEADER);
        long silentNs = Duration.ofMinutes(1).toNanos();
        Thread leader =
                new Thread(() -> wait.await(leading, Duration.ofMinutes(1).toNanos()));
        leader.start();
        await().until(() -> wait.isTakenBefore(standing));
        assertThat(standing.deputeNs(silentNs)).isEqualTo(100_000_000);
        wait.end();
        leader.join();
        assertThat(standing.deputeNs(silentNs)).isEqualTo(10_000_000);
        wait.close();
    }

    @Test
    void channelThatStaysReadyWithoutCauseIsFollowedByAPause() {
        TransportWait wait = new TransportWait(() -> false);
        wait.askOnce(List.of(transport));
        wait.leaveAlone(Duration.ofMinutes(1).toNanos());
        ConductorIdle idle = new ConductorIdle(nowNs::get, () -> Expected.NOTHING, wait, ConductorIdle.Rank.MAIN);
        transport.ring();
        for (int i = 0; i < 3; i++) {
            idle.idle(0);
        }
        for (int round = 0; round < 10; round++) {
            assertThat(wait.isUnexplained())
                    .as("after a wait that a channel has ended")
                    .isTrue();
            idle.idle(0);
            assertThat(wait.isUnexplained()).as("after a pause").isFalse();
            idle.idle(0);
        }
        wait.close();
    }
}
