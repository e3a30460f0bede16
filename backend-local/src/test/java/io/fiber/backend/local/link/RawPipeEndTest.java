// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.FiberException;
import io.fiber.Pipe;
import io.fiber.SerializationException;
import io.fiber.runtime.channel.DirectLink;
import io.fiber.runtime.pipe.Pipes;
import io.fiber.runtime.pipe.RawPipeEnd;
import io.fiber.spi.transport.OfferResult;
import io.fiber.tck.memory.MemoryNetwork;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The parts of a pipe leave and arrive once, whatever the conductor does with the end at the same moment. */
class RawPipeEndTest {

    private static final int CYCLES = 50;

    private final LoneProcess process = new LoneProcess(new MemoryNetwork());
    private final Pipe<String, String> pipe = process.pipes.pipe();
    private final RawPipeEnd sending = Pipes.raw(pipe.first());
    private final RawPipeEnd receiving = Pipes.raw(pipe.second());
    private final List<String> arrived = new ArrayList<>();
    private final DirectLink.Handler taker =
            (kind, remaining, part) -> arrived.add(kind + " " + remaining + " " + StandardCharsets.UTF_8.decode(part));

    @BeforeEach
    void linkTheEnds() {
        sending.join();
        receiving.join();
        conduct();
        sending.awaitLinked();
        receiving.awaitLinked();
    }

    private void conduct() {
        process.conduct(CYCLES);
    }

    /** As it may come while a part is put or taken: the conductor has a thread of its own. */
    private void conductInAnotherThread() {
        CompletableFuture.runAsync(this::conduct, run -> new Thread(run, "test-conductor").start())
                .join();
    }

    private OfferResult put(String text, Runnable meanwhile) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return sending.put(bytes.length, bytes.length, target -> {
            target.put(bytes);
            meanwhile.run();
        });
    }

    @Test
    void aPartThatIsPutWhileTheEndIsClosedLeavesOnceAndBeforeTheEnd() {
        assertThat(put("part", () -> {
                    pipe.first().close();
                    conductInAnotherThread();
                }))
                .isEqualTo(OfferResult.ACCEPTED);
        conduct();
        while (receiving.poll(taker)) {
            conduct();
        }
        assertThat(arrived).containsExactly("BYTES 4 part", "END 0 ");
    }

    @Test
    void aMessageThatTheHeapHasNoRoomForIsSkippedWholeAndTheNextIsReceived() {
        long heapBytes = Runtime.getRuntime().maxMemory();
        assertThat(sending.put(heapBytes, 4, target -> target.put(new byte[4]))).isEqualTo(OfferResult.ACCEPTED);
        conduct();
        assertThat(sending.put(heapBytes - 4, 4, target -> target.put(new byte[4])))
                .isEqualTo(OfferResult.ACCEPTED);
        assertThat(pipe.second().poll(Duration.ZERO)).isFalse();
        put("last", () -> {});
        put("next", () -> {});
        assertThat(pipe.second().poll(Duration.ZERO)).isTrue();
        assertThatThrownBy(() -> pipe.second().receiveBytes())
                .isInstanceOf(SerializationException.class)
                .hasMessageStartingWith("FBR-208 A message of " + heapBytes + " bytes does not fit into the heap");
        assertThat(pipe.second().poll(Duration.ZERO)).isTrue();
        assertThat(pipe.second().receiveBytes()).asString().isEqualTo("next");
    }

    @Test
    void nothingCanBePutBehindTheEnd() {
        pipe.first().close();
        assertThatThrownBy(() -> put("late", () -> {}))
                .isInstanceOf(FiberException.class)
                .hasMessageContaining("FBR-453")
                .hasMessageContaining("was closed in this process");
    }

    @Test
    void partsThatAreTakenWhileTheEndIsClosedArriveOnce() {
        put("one", () -> {});
        put("two", () -> {});
        assertThat(receiving.poll((kind, remaining, part) -> {
                    pipe.second().close();
                    conductInAnotherThread();
                    taker.onPart(kind, remaining, part);
                }))
                .isTrue();
        assertThat(receiving.poll(taker)).isTrue();
        assertThat(arrived).containsExactly("BYTES 3 one", "BYTES 3 two");
    }
}
