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
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How the I/O thread and callers wait for transports. What wakes them is lost in no order of events. */
class ConductorWaitTest {

    /** A twentieth of it, after which a cycle comes anyway, is longer than any test may take. */
    private static final Duration LEASE = Duration.ofDays(1);

    private static final int ROUNDS = 3_000;
    private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);
    private static final byte[] FRAME = Frames.of(Messages.cancel(1, Messages.Running.INTERRUPTED));

    /** What a channel that is ready asks for. */
    private enum Asks {
        TO_READ,
        NOTHING,
        FOR_EVER
    }

    /** A transport whose channel is ready when the bell has been rung and nobody has come. */
    private static final class BellTransport implements Transport {
        private final Pipe pipe = open();
        private final AtomicBoolean isRung = new AtomicBoolean();
        private final AtomicInteger drives = new AtomicInteger();
        private final Asks asks;
        private final Link link;

        BellTransport(Asks asks, Link of) {
            this.asks = asks;
            this.link = link(of);
        }

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
                if (asks != Asks.NOTHING) {
                    pipe.source().register(selector, SelectionKey.OP_READ, link);
                }
                return asks != Asks.NOTHING;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Returns the link that the channel signals; a poll takes what has rung. */
        private Link link(Link of) {
            return (Link) Proxy.newProxyInstance(
                    Link.class.getClassLoader(), new Class<?>[] {Link.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("poll")) {
                            comeForTheBell();
                        }
                        return method.invoke(of, arguments);
                    });
        }

        private void comeForTheBell() throws IOException {
            if (asks != Asks.FOR_EVER && pipe.source().read(ByteBuffer.allocate(16)) > 0) {
                isRung.set(false);
            }
        }

        @Override
        public int doWork() {
            drives.incrementAndGet();
            return 0;
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

    private final Conductor conductor = new Conductor("waits", SystemNanoClock.INSTANCE, LEASE);
    private final AtomicInteger cycles = new AtomicInteger();
    private final Semaphore heard = new Semaphore(0);
    private final TestLink link = TestLink.pair(1024, TestLink.Reach.CONFINED);
    private BellTransport transport = new BellTransport(Asks.TO_READ, link);

    private volatile Runnable onHeard = () -> {};
    private volatile boolean running = true;
    private final Thread io = new Thread(() -> conductor.run(() -> running), "io-of-a-test");

    @AfterEach
    void end() throws InterruptedException {
        running = false;
        conductor.wake();
        io.join();
        conductor.onClose();
        transport.close();
    }

    private void begin(Asks asks) {
        transport.close();
        transport = new BellTransport(asks, link);
        conductor.addTransport(transport);
        conductor.addDuty(new Duty() {
            @Override
            public int doWork(long nowNs) {
                cycles.incrementAndGet();
                return 0;
            }

            @Override
            public boolean isTimed() {
                return false;
            }
        });
        conductor.addPeer(transport.link, new Peer.Listener() {
            @Override
            public void onMessage(Peer from, Message message) {
                onHeard.run();
                heard.release();
            }

            @Override
            public void onGone(Peer gone, String reason) {}
        });
        conductor.doWork();
        io.start();
    }

    private void sendFrame() {
        link.peer().inject(FRAME);
        transport.ring();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Asks.class,
            names = {"TO_READ", "NOTHING"})
    void noFrameAndNoCommandIsMissed(Asks asks) throws InterruptedException {
        begin(asks);
        Thread commanding = new Thread(() -> {
            for (int round = 0; round < ROUNDS; round++) {
                CountDownLatch ran = new CountDownLatch(1);
                switch (round % 3) {
                    case 0 -> conductor.execute(ran::countDown);
                    case 1 -> conductor.send(ran::countDown);
                    default ->
                        conductor.later(() -> {
                            ran.countDown();
                        });
                }
                awaitUninterruptibly(ran);
            }
        });
        commanding.start();
        for (int round = 0; round < ROUNDS; round++) {
            sendFrame();
            assertThat(heard.tryAcquire(1, TimeUnit.MINUTES))
                    .as("round " + round)
                    .isTrue();
        }
        commanding.join();
    }

    @Test
    void aFrameTakesFewCycles() throws InterruptedException {
        begin(Asks.TO_READ);
        int before = cycles.get();
        for (int round = 0; round < ROUNDS; round++) {
            sendFrame();
            assertThat(heard.tryAcquire(1, TimeUnit.MINUTES)).isTrue();
        }
        assertThat(cycles.get() - before).isLessThan(10 * ROUNDS);
    }

    /** The I/O thread lends its place to it, and takes it back. */
    @ParameterizedTest
    @EnumSource(
            value = Asks.class,
            names = {"TO_READ", "NOTHING"})
    void callerMissesNoAnswer(Asks asks) throws InterruptedException {
        begin(asks);
        for (int round = 0; round < ROUNDS; round++) {
            Waiter waiter = new Waiter();
            onHeard = waiter::end;
            assertThat(conductor.await(this::sendFrame, waiter, MINUTE_NS))
                    .as("round " + round)
                    .isTrue();
        }
    }

    @Test
    void noneOfSeveralCallersMissesItsAnswer() throws InterruptedException {
        begin(Asks.TO_READ);
        ConcurrentLinkedQueue<Waiter> asking = new ConcurrentLinkedQueue<>();
        onHeard = () -> asking.remove().end();
        List<CompletableFuture<Boolean>> callers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            CompletableFuture<Boolean> done = new CompletableFuture<>();
            callers.add(done);
            new Thread(() -> {
                        boolean isAnswered = true;
                        for (int round = 0; round < ROUNDS && isAnswered; round++) {
                            Waiter waiter = new Waiter();
                            asking.add(waiter);
                            try {
                                isAnswered = conductor.await(this::sendFrame, waiter, MINUTE_NS);
                            } catch (InterruptedException e) {
                                isAnswered = false;
                            }
                        }
                        done.complete(isAnswered);
                    })
                    .start();
        }
        for (CompletableFuture<Boolean> caller : callers) {
            assertThat(caller).succeedsWithin(Duration.ofMinutes(3)).isEqualTo(true);
        }
    }

    @Test
    void callerIsWokenByTheThreadThatBringsItsAnswer() throws InterruptedException {
        begin(Asks.TO_READ);
        for (int round = 0; round < ROUNDS; round++) {
            Waiter waiter = new Waiter();
            Thread answering = new Thread(waiter::end);
            assertThat(conductor.await(answering::start, waiter, MINUTE_NS))
                    .as("round " + round)
                    .isTrue();
            answering.join();
        }
    }

    /** Some of the interrupts come while it waits in the selector, in the place of the I/O thread. */
    @Test
    void interruptedCallerLeavesAndNobodyElseIsDisturbed() throws InterruptedException {
        begin(Asks.TO_READ);
        for (int round = 0; round < 300; round++) {
            Waiter answered = new Waiter();
            onHeard = answered::end;
            assertThat(conductor.await(this::sendFrame, answered, MINUTE_NS)).isTrue();

            CountDownLatch waits = new CountDownLatch(1);
            CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
            Thread caller = new Thread(() -> {
                try {
                    conductor.await(waits::countDown, new Waiter(), MINUTE_NS);
                    interrupted.complete(false);
                } catch (InterruptedException e) {
                    interrupted.complete(true);
                }
            });
            caller.start();
            waits.await();
            caller.interrupt();
            assertThat(interrupted).succeedsWithin(Duration.ofMinutes(1)).isEqualTo(true);
        }
    }

    @Test
    void callerIsToldThatTheConductorCloses() throws InterruptedException {
        begin(Asks.TO_READ);
        CountDownLatch waits = new CountDownLatch(1);
        CompletableFuture<Boolean> ended = new CompletableFuture<>();
        new Thread(() -> {
                    try {
                        Waiter answered = new Waiter();
                        onHeard = answered::end;
                        conductor.await(this::sendFrame, answered, MINUTE_NS);
                        ended.complete(conductor.await(waits::countDown, new Waiter(), Long.MAX_VALUE));
                    } catch (InterruptedException e) {
                        ended.completeExceptionally(e);
                    }
                })
                .start();
        waits.await();
        running = false;
        conductor.wake();
        io.join();
        conductor.onClose();
        assertThat(ended).succeedsWithin(Duration.ofMinutes(1)).isEqualTo(true);
    }

    /** It runs no further cycle for it. */
    @Test
    void commandThatComesAtTheEndOfAWaitIsRun() throws InterruptedException {
        begin(Asks.TO_READ);
        for (int round = 0; round < ROUNDS; round++) {
            Waiter waiter = new Waiter();
            CountDownLatch ran = new CountDownLatch(1);
            onHeard = () -> {
                waiter.end();
                new Thread(() -> conductor.execute(ran::countDown)).start();
            };
            assertThat(conductor.await(this::sendFrame, waiter, MINUTE_NS)).isTrue();
            awaitUninterruptibly(ran);
        }
    }

    /** A sender in shared memory gets new room only by a drive. */
    @Test
    void callerThatReadsMuchHasThePolledTransportsDriven() throws InterruptedException {
        begin(Asks.NOTHING);
        // The I/O thread sleeps for some milliseconds after a silence, and drives each time.
        Waiter waiter = new Waiter();
        AtomicInteger left = new AtomicInteger(3_000);
        AtomicInteger before = new AtomicInteger();
        onHeard = () -> {
            before.compareAndSet(0, transport.drives.get());
            if (left.decrementAndGet() == 0) {
                waiter.end();
            }
        };
        assertThat(conductor.await(
                        () -> {
                            for (int i = 0; i < left.get(); i++) {
                                link.peer().inject(FRAME);
                            }
                        },
                        waiter,
                        MINUTE_NS))
                .isTrue();
        await().untilAsserted(() -> assertThat(transport.drives.get()).isGreaterThan(before.get()));
    }

    @Test
    void channelThatStaysReadyWithoutCauseKeepsNoProcessorBusy() {
        begin(Asks.FOR_EVER);
        long beganNs = System.nanoTime();
        transport.ring();
        int pauses = 50;
        await().until(() -> cycles.get() > 150 + pauses);

        assertThat(System.nanoTime() - beganNs).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(pauses / 2));
    }
}
