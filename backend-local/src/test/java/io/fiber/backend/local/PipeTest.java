// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.Connection;
import io.fiber.EndOfStreamException;
import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.FiberException;
import io.fiber.FiberProcess;
import io.fiber.OneWayPipe;
import io.fiber.Pipe;
import io.fiber.Pool;
import io.fiber.Receiver;
import io.fiber.Sender;
import io.fiber.tck.fault.Signal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pipes between real processes of this host. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class PipeTest {

    @RegisterExtension
    final SharedSession session = new SharedSession(this::builder);

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int LAST_MESSAGES = 100;
    private static final int LAST_BYTES = 40_000;

    /** Overridden where the same is shown over another medium. */
    FiberBuilder builder() {
        return LocalFiber.builder();
    }

    static <T extends @Nullable Object> void echo(Connection<T, T> end) {
        try (end) {
            while (true) {
                T message = end.receive();
                end.send(message);
            }
        } catch (EndOfStreamException e) {
            // The other end has nothing more to say.
        }
    }

    @Test
    void severalReceiversAreAwaitedAtOnce() {
        Pipe<String, String> quiet = session.fiber().pipe();
        OneWayPipe<String> busy = session.fiber().oneWayPipe();
        List<Receiver<String>> both = List.of(quiet.first(), busy.receiver());
        assertThat(Receiver.awaitAny(both, Duration.ZERO)).isEmpty();
        assertThat(Receiver.awaitAny(both, Duration.ofMillis(20))).isEmpty();
        assertThat(Receiver.awaitAny(both, Duration.ofSeconds(Long.MIN_VALUE))).isEmpty();
        assertThat(Receiver.awaitAny(List.<Receiver<String>>of(), LIMIT)).isEmpty();

        FiberProcess writer = session.fiber().process(() -> busy.sender().send("hello"));
        assertThat(Receiver.awaitAny(both, LIMIT)).containsExactly(busy.receiver());
        assertThat(busy.receiver().receive()).isEqualTo("hello");
        writer.join();
        // The end of a stream is something to receive, too.
        assertThat(Receiver.awaitAny(both, LIMIT)).containsExactly(busy.receiver());
        quiet.second().send("late");
        assertThat(Receiver.awaitAny(List.of(quiet.first()), LIMIT)).containsExactly(quiet.first());
    }

    @Test
    void bothEndsInOneProcess() {
        Pipe<String, Integer> pipe = session.fiber().pipe();
        pipe.first().send("hello");
        assertThat(pipe.second().receive()).isEqualTo("hello");
        pipe.second().send(42);
        assertThat(pipe.first().receive()).isEqualTo(42);
        pipe.first().close();
        assertThatThrownBy(() -> pipe.second().receive())
                .isInstanceOf(EndOfStreamException.class)
                .hasMessageStartingWith("FBR-450 Nothing more comes: the other end of pipe 0/")
                .hasMessageEndingWith("was closed.");
        pipe.second().close();
    }

    @Test
    @SuppressWarnings("NullAway") // it does not read the type argument
    void messagesGoBothWaysBetweenTwoProcesses() {
        Fiber fiber = session.fiber();
        Pipe<@Nullable Integer, @Nullable Integer> pipe = fiber.pipe();
        Connection<@Nullable Integer, @Nullable Integer> theirs = pipe.second();
        FiberProcess child = fiber.process(() -> echo(theirs));
        try (Connection<@Nullable Integer, @Nullable Integer> mine = pipe.first()) {
            for (int i = 0; i < 1_000; i++) {
                mine.send(i);
                assertThat(mine.receive()).isEqualTo(i);
            }
            mine.send(null);
            assertThat(mine.receive()).isNull();
        }
        assertThat(child.join()).isZero();
    }

    @Test
    void whatAProcessSentBeforeItEndedIsReceivedAfterwards() {
        Fiber fiber = session.fiber();
        OneWayPipe<String> pipe = fiber.oneWayPipe();
        fiber.process(() -> {
                    pipe.sender().send("first");
                    pipe.sender().sendBytes(new byte[] {1, 2, 3});
                })
                .join();
        assertThat(pipe.receiver().receive()).isEqualTo("first");
        assertThat(pipe.receiver().poll(Duration.ZERO)).isTrue();
        assertThat(pipe.receiver().receiveBytes()).containsExactly(1, 2, 3);
        assertThatThrownBy(() -> pipe.receiver().receive()).isInstanceOf(EndOfStreamException.class);
        assertThat(pipe.receiver().poll(Duration.ZERO)).isTrue();
    }

    /** What waits for a link goes by way of the meeting point, in one letter that is longer than the window of a network. */
    @Test
    void whatAProcessSentBeforeThereWasALinkOutlivesIt() {
        Fiber fiber = session.fiber();
        OneWayPipe<Integer> pipe = fiber.oneWayPipe();
        FiberProcess child = fiber.process(() -> sendLast(pipe.sender()));

        assertThat(child.join()).isZero();

        assertLastArrives(pipe.receiver());
    }

    /** Nobody receives while the process ends: it neither waits for somebody who does, nor takes with it what it had sent. */
    @Test
    void whatAProcessSentOverALinkOutlivesIt() {
        Fiber fiber = session.fiber();
        Pipe<String, Integer> pipe = fiber.pipe();
        Connection<Integer, String> theirs = pipe.second();
        FiberProcess child = whoSendsLast(fiber, theirs);
        pipe.first().send("go");

        assertThat(child.join()).isZero();

        assertLastArrives(pipe.first());
    }

    /** The word of the link is faster than that of the process that made the pipe. */
    @Test
    void whoWaitsForAMessageIsToldThatTheOtherEndWasClosed() {
        Fiber fiber = session.fiber();
        Pipe<String, Integer> pipe = fiber.pipe();
        Connection<Integer, String> theirs = pipe.second();
        FiberProcess child = whoSendsLast(fiber, theirs);
        pipe.first().send("go");

        assertLastArrives(pipe.first());
        assertThatThrownBy(() -> pipe.first().send("late"))
                .isInstanceOf(EndOfStreamException.class)
                .hasMessageEndingWith("was closed.");
        assertThat(child.join()).isZero();
    }

    private static FiberProcess whoSendsLast(Fiber fiber, Connection<Integer, String> end) {
        return fiber.process(() -> {
            end.receive();
            sendLast(end);
        });
    }

    static void sendLast(Sender<Integer> end) {
        try (end) {
            for (int i = 0; i < LAST_MESSAGES; i++) {
                end.send(i);
            }
            end.sendBytes(new byte[LAST_BYTES]);
        }
    }

    private static void assertLastArrives(Receiver<Integer> end) {
        for (int i = 0; i < LAST_MESSAGES; i++) {
            assertThat(end.receive()).isEqualTo(i);
        }
        assertThat(end.receiveBytes()).hasSize(LAST_BYTES);
        assertThatThrownBy(end::receive)
                .isInstanceOf(EndOfStreamException.class)
                .hasMessageEndingWith("was closed.");
    }

    @Test
    void twoWorkersTalkWithoutTheirMaster() {
        Fiber fiber = session.fiber();
        try (Pool pool = fiber.poolBuilder(2).build()) {
            Pipe<Integer, Integer> pipe = fiber.pipe();
            Connection<Integer, Integer> one = pipe.first();
            Connection<Integer, Integer> other = pipe.second();
            FiberProcess echoing = fiber.process(() -> echo(other));
            int sum = pool.apply(() -> {
                int total = 0;
                for (int i = 0; i < 500; i++) {
                    one.send(i);
                    total += one.receive();
                }
                one.close();
                return total;
            });
            assertThat(sum).isEqualTo(499 * 500 / 2);
            assertThat(echoing.join()).isZero();
        }
    }

    @Test
    void endsTravelThroughPipesAndResults() {
        Fiber fiber = session.fiber();
        try (Pool pool = fiber.pool(1)) {
            Pipe<Connection<String, String>, Boolean> carrier = fiber.pipe();
            Pipe<String, String> carried = fiber.pipe();
            Connection<Boolean, Connection<String, String>> far = carrier.second();
            FiberProcess child = fiber.process(() -> far.receive().send("through a pipe"));
            carrier.first().send(carried.second());
            assertThat(carried.first().receive()).isEqualTo("through a pipe");
            child.join();
            Connection<String, String> made = pool.apply(() -> {
                Pipe<String, String> pipe = Fiber.current().pipe();
                pipe.first().send("from a worker's pipe");
                return pipe.second();
            });
            assertThat(made.receive()).isEqualTo("from a worker's pipe");
        }
    }

    @Test
    void hundredMegabytesPassWhole() {
        Fiber fiber = session.fiber();
        Pipe<byte[], byte[]> pipe = fiber.pipe();
        Connection<byte[], byte[]> theirs = pipe.second();
        fiber.process(() -> {
            byte[] bytes = theirs.receiveBytes();
            for (int i = 0; i < bytes.length; i++) {
                bytes[i]++;
            }
            theirs.sendBytes(bytes);
        });
        byte[] bytes = new byte[100 << 20];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) ((i * 31) >>> 3);
        }
        pipe.first().sendBytes(bytes);
        byte[] back = pipe.first().receiveBytes();
        assertThat(back).hasSameSizeAs(bytes);
        int wrong = 0;
        for (int i = 0; i < bytes.length; i++) {
            wrong += back[i] == (byte) (bytes[i] + 1) ? 0 : 1;
        }
        assertThat(wrong).isZero();
    }

    @Test
    void killedProcessEndsTheStream() {
        Fiber fiber = session.fiber();
        Pipe<String, Object> pipe = fiber.pipe();
        Connection<Object, String> theirs = pipe.second();
        fiber.process(() -> {
            theirs.send(LocalFiber.pid());
            theirs.send("last words");
            LocalFiber.last(LIMIT);
        });
        long pid = (Long) pipe.first().receive();
        assertThat(pipe.first().receive()).isEqualTo("last words");
        Signal.KILL.send(pid);
        assertThatThrownBy(() -> pipe.first().receive())
                .isInstanceOf(EndOfStreamException.class)
                .hasMessageStartingWith("FBR-450 Nothing more comes: the process that used the other end of pipe 0/")
                .hasMessageEndingWith("has ended.");
        assertThatThrownBy(() -> pipe.first().send("anybody there?"))
                .isInstanceOf(EndOfStreamException.class)
                .hasMessageStartingWith("FBR-451 What is sent can no longer be received: ");
    }

    @Test
    void senderWaitsUntilTheReceiverReads() {
        Fiber fiber = session.fiber();
        OneWayPipe<byte[]> pipe = fiber.oneWayPipe();
        FiberProcess child = fiber.process(() -> {
            for (int i = 0; i < 200; i++) {
                pipe.sender().sendBytes(new byte[100_000]);
            }
        });
        assertThat(pipe.receiver().poll(LIMIT)).isTrue();
        assertThat(child.join(Duration.ofMillis(300)))
                .as("end of a process that has more to send")
                .isEmpty();
        for (int i = 0; i < 200; i++) {
            assertThat(pipe.receiver().receiveBytes()).hasSize(100_000);
        }
        assertThat(child.join()).isZero();
    }

    @Test
    void senderIsToldThatTheReceiverHasClosed() {
        Fiber fiber = session.fiber();
        OneWayPipe<byte[]> pipe = fiber.oneWayPipe();
        FiberProcess child = fiber.process(() -> {
            try {
                while (true) {
                    pipe.sender().sendBytes(new byte[100_000]);
                }
            } catch (EndOfStreamException e) {
                if (!e.code().equals("FBR-451")) {
                    throw e;
                }
            }
        });
        pipe.receiver().receiveBytes();
        pipe.receiver().close();
        assertThat(child.join()).isZero();
    }

    @Test
    void endIsUsedByOneProcess() {
        try (Fiber fiber = builder().open();
                Pool pool = fiber.pool(1)) {
            Pipe<String, String> pipe = fiber.pipe();
            pipe.first().send("mine");
            assertThatThrownBy(() -> pool.apply(() -> {
                        pipe.first().send("mine as well");
                        return pipe.first().poll(LIMIT);
                    }))
                    .cause()
                    .hasMessageContaining("FBR-452 This end of pipe 0/")
                    .hasMessageContaining("is in use by process 0, and cannot be used by process 0.1 as well.");
            assertThat(pipe.second().receive()).isEqualTo("mine");
        }
    }

    @Test
    void wrongKindOfMessageStaysWhereItIs() {
        Pipe<String, String> pipe = session.fiber().pipe();
        pipe.first().send("an object");
        assertThatThrownBy(() -> pipe.second().receiveBytes())
                .isInstanceOf(FiberException.class)
                .hasMessageEndingWith("is an object; take it by receive(). It stays where it is.");
        assertThat(pipe.second().receive()).isEqualTo("an object");
        pipe.first().close();
        assertThatThrownBy(() -> pipe.first().send("too late"))
                .isInstanceOf(FiberException.class)
                .hasMessageStartingWith("FBR-453 This end of pipe 0/");
    }

    @Test
    void workersInAChainPassOn() {
        Fiber fiber = session.fiber();
        Pipe<Integer, Integer> in = fiber.pipe();
        Pipe<Integer, Integer> out = fiber.pipe();
        fiber.process(() -> {
            FiberProcess inner = Fiber.current().process(() -> {
                int value = in.second().receive();
                out.second().send(value + 1);
            });
            inner.join();
        });
        in.first().send(41);
        assertThat(out.first().receive()).isEqualTo(42);
    }

    @Test
    void pollWaitsNoLongerThanAsked() {
        Pipe<List<Integer>, List<Integer>> pipe = session.fiber().pipe();
        assertThat(pipe.first().poll(Duration.ofMillis(50))).isFalse();
        pipe.second().send(List.of(1, 2));
        assertThat(pipe.first().poll(LIMIT)).isTrue();
        assertThat(pipe.first().receive()).containsExactly(1, 2);
        assertThat(IntStream.range(0, 3)
                        .filter(i -> pipe.first().poll(Duration.ZERO))
                        .count())
                .isZero();
    }
}
