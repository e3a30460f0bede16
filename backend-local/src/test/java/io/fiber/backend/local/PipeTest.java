// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.Connection;
import io.fiber.EndOfStreamException;
import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.FiberProcess;
import io.fiber.OneWayPipe;
import io.fiber.Pipe;
import io.fiber.Receiver;
import io.fiber.Sender;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pipes between real processes of this host. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PipeTest {

    @RegisterExtension
    final SharedSession session = new SharedSession(this::builder);

    private static final int LAST_MESSAGES = 100;
    private static final int LAST_BYTES = 40_000;

    /** Overridden where the same is shown over another medium. */
    FiberBuilder builder() {
        return LocalFiber.builder();
    }

    @Test
    void severalReceiversAreAwaitedAtOnce() {
        Pipe<String, String> quiet = session.fiber().pipe();
        OneWayPipe<String> busy = session.fiber().oneWayPipe();
        List<Receiver<String>> both = List.of(quiet.first(), busy.receiver());
        assertThat(Receiver.awaitAny(both, Duration.ZERO)).isEmpty();
        assertThat(Receiver.awaitAny(both, Duration.ofMillis(20))).isEmpty();
        assertThat(Receiver.awaitAny(both, Duration.ofSeconds(Long.MIN_VALUE))).isEmpty();
        assertThat(Receiver.awaitAny(List.<Receiver<String>>of(), LocalFiber.LIMIT))
                .isEmpty();

        FiberProcess writer = session.fiber().process(() -> busy.sender().send("hello"));
        assertThat(Receiver.awaitAny(both, LocalFiber.LIMIT)).containsExactly(busy.receiver());
        assertThat(busy.receiver().receive()).isEqualTo("hello");
        writer.join();
        // The end of a stream is something to receive, too.
        assertThat(Receiver.awaitAny(both, LocalFiber.LIMIT)).containsExactly(busy.receiver());
        quiet.second().send("late");
        assertThat(Receiver.awaitAny(List.of(quiet.first()), LocalFiber.LIMIT)).containsExactly(quiet.first());
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
                .hasMessageStartingWith("FBR-450 No more messages will arrive: the other end of pipe 0/")
                .hasMessageEndingWith("was closed.");
        pipe.second().close();
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
    void senderWaitsUntilTheReceiverReads() {
        Fiber fiber = session.fiber();
        OneWayPipe<byte[]> pipe = fiber.oneWayPipe();
        FiberProcess child = fiber.process(() -> {
            for (int i = 0; i < 200; i++) {
                pipe.sender().sendBytes(new byte[100_000]);
            }
        });
        assertThat(pipe.receiver().poll(LocalFiber.LIMIT)).isTrue();
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
}
