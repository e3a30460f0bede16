// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.eventloop.Duty;
import io.fiber.runtime.eventloop.IoThread;
import io.fiber.runtime.platform.SessionThreads;
import io.fiber.runtime.platform.Teardown;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.agrona.concurrent.SystemNanoClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What an Error in the thread of a conductor leads to: everything that waits is told, and nothing waits for ever. */
class ConductorFaultTest {

    private final Conductor conductor = new Conductor("test", SystemNanoClock.INSTANCE, Duration.ofSeconds(20));
    private final Teardown teardown = new Teardown();
    private final List<String> told = new CopyOnWriteArrayList<>();

    /** Throws in its cycle when it is told to. */
    private static final class Faulty implements Duty {
        private volatile @Nullable Error fault;

        @Override
        public int doWork(long nowNs) {
            Error now = fault;
            if (now != null) {
                throw now;
            }
            return 0;
        }
    }

    /** Is told of the end, and has no memory for it at first. */
    private final class Waiting implements Duty {
        private final String name;
        private final AtomicInteger withoutMemory;

        Waiting(String name, int timesWithoutMemory) {
            this.name = name;
            this.withoutMemory = new AtomicInteger(timesWithoutMemory);
        }

        @Override
        public int doWork(long nowNs) {
            return 0;
        }

        @Override
        public void onFault(Throwable fault) {
            if (withoutMemory.getAndDecrement() > 0) {
                throw new OutOfMemoryError("none left");
            }
            told.add(name + ": " + fault);
        }

        @Override
        public void onClose() {
            told.add(name + " closes");
        }
    }

    @Test
    void errorInACycleEndsEveryDutyWithItsCause() {
        Faulty faulty = new Faulty();
        conductor.addDuty(new Waiting("first", 0));
        conductor.addDuty(faulty);
        conductor.addDuty(new Waiting("second", 3));
        IoThread.start(conductor, teardown);

        faulty.fault = new StackOverflowError("deep");
        await().atMost(Duration.ofSeconds(30)).until(() -> told.size() == 2);

        assertThat(told)
                .containsExactly(
                        "first: java.lang.StackOverflowError: deep", "second: java.lang.StackOverflowError: deep");
        await().atMost(Duration.ofSeconds(30)).until(() -> !conductor.execute(() -> {}));
        teardown.run();
    }

    @Test
    void errorInACommandEndsItToo() {
        conductor.addDuty(new Waiting("first", 0));
        IoThread.start(conductor, teardown);

        conductor.execute(() -> {
            throw new OutOfMemoryError("a command");
        });

        await().atMost(Duration.ofSeconds(30)).until(() -> told.size() == 1);
        assertThat(told).containsExactly("first: java.lang.OutOfMemoryError: a command");
        teardown.run();
    }

    @Test
    void dutyWithoutMemoryForItsEndKeepsNoOtherFromIts() {
        Faulty faulty = new Faulty();
        conductor.addDuty(new Waiting("first", 3));
        conductor.addDuty(faulty);
        conductor.addDuty(new Waiting("second", 0));
        IoThread.start(conductor, teardown);

        faulty.fault = new StackOverflowError("deep");
        await().atMost(Duration.ofSeconds(30)).until(() -> told.size() == 2);

        assertThat(told)
                .containsExactly(
                        "second: java.lang.StackOverflowError: deep", "first: java.lang.StackOverflowError: deep");
        teardown.run();
    }

    /** A class of the JDK that had no memory to be initialized is missing for ever; the JVM's logging needs some. */
    @Test
    void loggingThatIsBrokenKeepsNoDutyFromItsEnd() {
        Faulty faulty = new Faulty();
        conductor.addDuty(new Waiting("first", 0));
        conductor.addDuty(faulty);
        conductor.addDuty(new Duty() {
            @Override
            public int doWork(long nowNs) {
                return 0;
            }

            @Override
            public void onFault(Throwable fault) {
                throw new IllegalStateException("it cannot be ended");
            }
        });
        Logger logger = Logger.getLogger(Conductor.class.getName());
        Handler broken = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                told.add(entry.getMessage());
                throw new NoClassDefFoundError("Could not initialize class java.lang.StringBuffer");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(broken);
        try {
            IoThread.start(conductor, teardown);
            faulty.fault = new StackOverflowError("deep");
            await().atMost(Duration.ofSeconds(30)).until(() -> told.size() == 3);
        } finally {
            logger.removeHandler(broken);
        }

        assertThat(told)
                .containsExactly(
                        "A cycle of 'test' has failed.",
                        "A part of the conductor could not be ended.",
                        "first: java.lang.StackOverflowError: deep");
        teardown.run();
    }

    @Test
    void faultOfACommandThatACallerWaitsForIsToldToAllThatWait() {
        conductor.addDuty(new Waiting("first", 0));
        IoThread.start(conductor, teardown);

        conductor.execute(conductor.awaited(() -> {
            throw new NoClassDefFoundError("jdk/jfr/FlightRecorder");
        }));

        await().atMost(Duration.ofSeconds(30)).until(() -> told.size() == 1);
        assertThat(told).containsExactly("first: java.lang.NoClassDefFoundError: jdk/jfr/FlightRecorder");
        teardown.run();
    }

    @Test
    void faultOfCodeInACommandEndsThatCommandOnly() {
        conductor.addDuty(new Waiting("first", 0));
        IoThread.start(conductor, teardown);
        CountDownLatch later = new CountDownLatch(1);

        conductor.execute(() -> {
            throw new NoSuchMethodError("submit");
        });
        conductor.execute(later::countDown);

        await().atMost(Duration.ofSeconds(30)).until(() -> later.getCount() == 0);
        assertThat(told).isEmpty();
        teardown.run();
    }

    @Test
    void taskOfTheSessionsThreadsThatTellsNothingOfItsEndEndsTheConductor() {
        for (boolean callback : new boolean[] {false, true}) {
            told.clear();
            Conductor ending = new Conductor("test", SystemNanoClock.INSTANCE, Duration.ofSeconds(20));
            ending.addDuty(new Waiting("first", 0));
            IoThread.start(ending, teardown);
            ExecutorService threads =
                    callback ? SessionThreads.callbacks(ending::fail) : SessionThreads.blocking("test", ending::fail);

            threads.execute(() -> {
                throw new OutOfMemoryError("a task");
            });

            await().atMost(Duration.ofSeconds(30)).until(() -> told.size() == 1);
            assertThat(told).containsExactly("first: java.lang.OutOfMemoryError: a task");
            threads.shutdown();
        }
        teardown.run();
    }

    /** A caller's thread may run a cycle; what it throws there has left the conductor's state half done. */
    @Test
    void errorOfAnotherThreadThatConductedEndsTheConductor() {
        Faulty faulty = new Faulty();
        conductor.addDuty(faulty);
        faulty.fault = new AssertionError("half done");
        assertThatThrownBy(conductor::doWork).isSameAs(faulty.fault);
        faulty.fault = null;

        assertThatThrownBy(conductor::doWork).isInstanceOf(AssertionError.class).hasMessage("half done");
    }

    @Test
    void exceptionInACycleEndsNothing() {
        AtomicInteger cycles = new AtomicInteger();
        conductor.addDuty(new Waiting("first", 0));
        conductor.addDuty(nowNs -> {
            if (cycles.incrementAndGet() == 1) {
                throw new IllegalStateException("a bug");
            }
            return 0;
        });
        IoThread.start(conductor, teardown);

        await().atMost(Duration.ofSeconds(30)).until(() -> {
            conductor.wake();
            return cycles.get() > 1;
        });
        assertThat(told).isEmpty();
        teardown.run();
        assertThat(told).containsExactly("first closes");
    }

    @Test
    void interruptOfTheConductorsThreadEndsItInOrder() {
        conductor.addDuty(new Waiting("first", 0));
        IoThread.start(conductor, teardown);

        conductor.execute(() -> Thread.currentThread().interrupt());

        await().atMost(Duration.ofSeconds(30)).until(() -> told.size() == 1);
        assertThat(told).containsExactly("first closes");
        teardown.run();
    }

    @Test
    void endInOrderIsNoFault() {
        conductor.addDuty(new Waiting("first", 0));
        IoThread.start(conductor, teardown);
        teardown.run();

        assertThat(told).containsExactly("first closes");
    }
}
