// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.Connection;
import io.fiber.EndOfStreamException;
import io.fiber.Fiber;
import io.fiber.FiberException;
import io.fiber.FiberProcess;
import io.fiber.OneWayPipe;
import io.fiber.Pipe;
import io.fiber.Pool;
import io.fiber.SerializationException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What goes through a pipe, between which processes, and in which order. */
abstract class PipeMessagesContract extends SessionContract {

    private static final int LARGE_BYTES = 5_000_001;

    private static <T extends @Nullable Object> void echo(Connection<T, T> end) {
        try (end) {
            while (true) {
                end.send(end.receive());
            }
        } catch (EndOfStreamException e) {
            // The other end has nothing more to send.
        }
    }

    @Test
    @SuppressWarnings("NullAway") // it does not read the type argument
    void messagesGoBothWaysInTheirOrder() {
        Pipe<@Nullable Integer, @Nullable Integer> pipe = fiber().pipe();
        Connection<@Nullable Integer, @Nullable Integer> theirs = pipe.second();
        CompletableFuture<Boolean> other = elsewhere(() -> echo(theirs));
        try (Connection<@Nullable Integer, @Nullable Integer> mine = pipe.first()) {
            for (int i = 0; i < 200; i++) {
                mine.send(i);
            }
            for (int i = 0; i < 200; i++) {
                assertThat(mine.receive()).isEqualTo(i);
            }
            for (int i = 0; i < 200; i++) {
                mine.send(i);
                assertThat(mine.receive()).isEqualTo(i);
            }
            mine.send(null);
            assertThat(mine.receive()).isNull();
        }
        assertEndsWell(other);
    }

    @Test
    void aMessageLargerThanAnyFrameArrivesWhole() {
        Pipe<byte[], byte[]> pipe = fiber().pipe();
        Connection<byte[], byte[]> theirs = pipe.second();
        CompletableFuture<Boolean> other = elsewhere(() -> {
            byte[] bytes = theirs.receiveBytes();
            theirs.sendBytes(bytes);
        });
        byte[] bytes = new byte[LARGE_BYTES];
        new Random(1).nextBytes(bytes);
        pipe.first().sendBytes(bytes);
        assertThat(pipe.first().receiveBytes()).isEqualTo(bytes);
        assertEndsWell(other);
        pipe.first().close();
    }

    @Test
    void twoWorkersTalkToEachOther() {
        OneWayPipe<Integer> pipe = fiber().oneWayPipe();
        OneWayPipe<Integer> answers = fiber().oneWayPipe();
        FiberProcess adding = process(() -> {
            int sum = 0;
            try {
                while (true) {
                    sum += pipe.receiver().receive();
                }
            } catch (EndOfStreamException e) {
                answers.sender().send(sum);
            }
        });
        assertEndsWell(elsewhere(() -> {
            for (int i = 1; i <= 100; i++) {
                pipe.sender().send(i);
            }
            pipe.sender().close();
        }));
        assertThat(answers.receiver().receive()).isEqualTo(5_050);
        assertEndsWell(adding);
        answers.receiver().close();
    }

    @Test
    void anEndTravelsThroughAnotherPipe() {
        Pipe<Connection<String, String>, Boolean> outer = fiber().pipe();
        Pipe<String, String> inner = fiber().pipe();
        Connection<Boolean, Connection<String, String>> theirs = outer.second();
        CompletableFuture<Boolean> other = elsewhere(() -> {
            theirs.receive().send("by the inner pipe");
        });
        outer.first().send(inner.second());
        assertThat(inner.first().receive()).isEqualTo("by the inner pipe");
        assertEndsWell(other);
        inner.first().close();
        outer.first().close();
    }

    @Test
    void anEndThatAWorkerMadeTravelsAsAResult() {
        try (Pool pool = fiber().pool(1)) {
            Connection<String, String> made = pool.apply(() -> {
                Pipe<String, String> pipe = Fiber.current().pipe();
                pipe.first().send("from a worker's pipe");
                return pipe.second();
            });
            assertThat(made.receive()).isEqualTo("from a worker's pipe");
        }
    }

    @Test
    void pollWaitsAsLongAsItSays() {
        OneWayPipe<Integer> pipe = fiber().oneWayPipe();
        assertThat(pipe.receiver().poll(Duration.ZERO)).isFalse();
        assertThat(pipe.receiver().poll(SHORT)).isFalse();
        CompletableFuture<Boolean> other = elsewhere(() -> pipe.sender().send(1));
        assertThat(pipe.receiver().poll(LIMIT)).isTrue();
        assertThat(pipe.receiver().receive()).isEqualTo(1);
        assertThat(pipe.receiver().poll(Duration.ZERO)).isFalse();
        assertEndsWell(other);
        pipe.receiver().close();
    }

    @Test
    void objectsAndBytesAreNotMistaken() {
        Pipe<Object, Object> pipe = fiber().pipe();
        pipe.first().send(List.of("an object"));
        assertThatThrownBy(() -> pipe.second().receiveBytes())
                .isInstanceOf(FiberException.class)
                .hasMessageStartingWith("FBR-456 ")
                .hasMessageEndingWith("is an object. Call receive() to receive it. The message stays in the pipe.");
        assertThat(pipe.second().receive()).isEqualTo(List.of("an object"));
        assertThatThrownBy(() -> pipe.first().send(new Object())).isInstanceOf(SerializationException.class);
        pipe.first().sendBytes(new byte[] {1});
        assertThat(pipe.second().receiveBytes()).containsExactly(1);
        pipe.first().close();
        pipe.second().close();
    }
}
