// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.Connection;
import io.fiber.EndOfStreamException;
import io.fiber.FiberException;
import io.fiber.FiberProcess;
import io.fiber.FiberQueue;
import io.fiber.OneWayPipe;
import io.fiber.Pipe;
import io.fiber.WaitInterruptedException;
import io.fiber.tck.fault.Interrupt;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How a stream ends, and which process owns an end. */
abstract class PipeEndsContract extends SessionContract {

    @Test
    void whatWasSentBeforeTheSenderEndedIsReceivedAndThenTheEnd() {
        OneWayPipe<String> pipe = fiber().oneWayPipe();
        inProcess(() -> {
            pipe.sender().send("first");
            pipe.sender().sendBytes(new byte[] {1, 2, 3});
        });
        assertThat(pipe.receiver().receive()).isEqualTo("first");
        assertThat(pipe.receiver().receiveBytes()).containsExactly(1, 2, 3);
        assertThatThrownBy(() -> pipe.receiver().receive())
                .isInstanceOf(EndOfStreamException.class)
                .hasMessageStartingWith("FBR-450 ");
        assertThat(pipe.receiver().poll(Duration.ZERO)).isTrue();
        pipe.receiver().close();
    }

    @Test
    void aReceiverLearnsThatTheSenderHasDied() {
        Pipe<String, String> pipe = fiber().pipe();
        Connection<String, String> theirs = pipe.second();
        FiberProcess child = process(() -> {
            theirs.send("the last word");
            theirs.receive();
            die();
        });
        assertThat(pipe.first().receive()).isEqualTo("the last word");
        pipe.first().send("heard");
        assertThatThrownBy(() -> pipe.first().receive())
                .isInstanceOf(EndOfStreamException.class)
                .hasMessageStartingWith(
                        "FBR-450 No more messages will arrive: the process that used the other end of pipe ")
                .hasMessageEndingWith("has ended.");
        assertThatThrownBy(() -> pipe.first().send("anybody there?"))
                .isInstanceOf(EndOfStreamException.class)
                .hasMessageStartingWith("FBR-451 Messages can no longer be received: ");
        assertThat(child.join()).isNotZero();
        pipe.first().close();
    }

    @Test
    void aSenderLearnsThatTheReceiverHasDied() {
        Pipe<String, String> pipe = fiber().pipe();
        Connection<String, String> theirs = pipe.second();
        FiberProcess child = process(() -> {
            theirs.receive();
            die();
        });
        assertThatThrownBy(() -> {
                    while (true) {
                        pipe.first().sendBytes(new byte[100_000]);
                    }
                })
                .isInstanceOf(EndOfStreamException.class)
                .hasMessageStartingWith("FBR-451 ");
        assertThat(child.join()).isNotZero();
        pipe.first().close();
    }

    @Test
    void anEndBelongsToOneProcess() {
        Pipe<String, String> pipe = fiber().pipe();
        Connection<String, String> theirs = pipe.second();
        FiberProcess holder = process(() -> theirs.receive());
        pipe.first().send("first of all");
        assertEndsWell(holder);
        inProcess(() -> assertThatThrownBy(() -> theirs.receive())
                .isInstanceOf(FiberException.class)
                .hasMessageStartingWith("FBR-452 "));
        Connection<String, String> mine = pipe.first();
        assertEndsWell(elsewhere(() -> assertThatThrownBy(() -> {
                    mine.send("mine as well");
                    mine.poll(LIMIT);
                })
                .isInstanceOf(FiberException.class)
                .hasMessageStartingWith("FBR-452 This end of pipe ")
                .hasMessageContaining("is in use by process 0, and cannot be used by process 0.")));
        pipe.first().close();
    }

    @Test
    void aClosedEndIsOfNoUseAndClosingTwiceIsNothing() {
        Pipe<String, String> pipe = fiber().pipe();
        pipe.first().close();
        pipe.first().close();
        assertThatThrownBy(() -> pipe.first().send("late"))
                .isInstanceOf(FiberException.class)
                .hasMessageStartingWith("FBR-453 This end of pipe ");
        assertThatThrownBy(() -> pipe.second().receive()).isInstanceOf(EndOfStreamException.class);
        pipe.second().close();
    }

    @Test
    void anInterruptedReceiverLosesNothing() {
        Pipe<String, String> pipe = fiber().pipe();
        CompletableFuture<Thread> begun = new CompletableFuture<>();
        CompletableFuture<@Nullable Void> receiver = inThread(() -> {
            begun.complete(Thread.currentThread());
            assertThatThrownBy(() -> pipe.second().receive()).isInstanceOf(WaitInterruptedException.class);
        });
        Interrupt.whenItWaits(begun.join());
        receiver.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        pipe.first().send("still here");
        assertThat(pipe.second().receive()).isEqualTo("still here");
        pipe.first().close();
        pipe.second().close();
    }

    /** Another process could still use the end that was sent; only the waiting program can know that none will. */
    @Test
    void waitForAnEndThatNoProcessUsedEndsWhenTheOwnEndIsClosed() {
        Pipe<String, String> pipe = fiber().pipe();
        Connection<String, String> theirs = pipe.second();
        CompletableFuture<@Nullable Void> waiting =
                inThread(() -> assertThatThrownBy(() -> pipe.first().receive())
                        .isInstanceOf(FiberException.class)
                        .hasMessageStartingWith("FBR-453 "));
        // Over a network, a message that the program runs would be lost if its process dies at the same moment.
        FiberQueue<String> words = fiber().queue();
        words.put("die");
        FiberProcess dying = process(() -> {
            words.take();
            if (!theirs.toString().isEmpty()) {
                die();
            }
        });
        assertThat(dying.join()).isNotZero();
        assertThat(pipe.first().poll(SHORT)).isFalse();
        pipe.first().close();
        waiting.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
    }
}
