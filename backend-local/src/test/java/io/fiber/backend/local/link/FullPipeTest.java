// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.EndOfStreamException;
import io.fiber.Pipe;
import io.fiber.Sender;
import io.fiber.WaitInterruptedException;
import io.fiber.tck.memory.MemoryNetwork;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What was sent and closed gets over when both directions are full and nobody receives in either. */
class FullPipeTest {

    private static final int CYCLES = 200;
    private static final int MESSAGE_BYTES = 4_000;

    private final LoneProcess process = new LoneProcess(new MemoryNetwork());
    private final Pipe<byte[], byte[]> pipe = process.pipes.pipe();
    private int sent;

    @BeforeEach
    void fillBothDirections() {
        pipe.first().poll(Duration.ZERO);
        pipe.second().poll(Duration.ZERO);
        conduct();
        fill(pipe.second());
        sent = fill(pipe.first());
    }

    private void conduct() {
        process.conduct(CYCLES);
    }

    /** Returns how many messages were sent; the last of them is under way. */
    private static int fill(Sender<byte[]> end) {
        for (int count = 1; ; count++) {
            // A thread that is interrupted waits for no room.
            Thread.currentThread().interrupt();
            try {
                end.sendBytes(new byte[MESSAGE_BYTES]);
            } catch (WaitInterruptedException e) {
                return count;
            } finally {
                Thread.interrupted();
            }
        }
    }

    @Test
    void whatWasSentBeforeTheEndIsTakenThoughTheOtherDirectionIsFull() {
        AtomicBoolean left = new AtomicBoolean();
        pipe.first().close();
        conduct();

        for (int i = 0; i < sent; i++) {
            assertThat(pipe.second().poll(Duration.ZERO)).isTrue();
            assertThat(pipe.second().receiveBytes()).hasSize(MESSAGE_BYTES);
        }
        assertThatThrownBy(() -> pipe.second().receiveBytes())
                .isInstanceOf(EndOfStreamException.class)
                .hasMessageContaining("FBR-450");
        process.conductor.execute(() -> process.pipes.leave(() -> left.set(true)));
        conduct();
        assertThat(left).isTrue();
    }

    @Test
    void whatAnInterruptedThreadHasLeftBehindAnotherMessageIsItsOwnNoMore() {
        byte[] bytes = {1, 1, 1, 1};
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> pipe.first().sendBytes(bytes)).isInstanceOf(WaitInterruptedException.class);
        assertThat(Thread.interrupted()).isTrue();
        Arrays.fill(bytes, (byte) 2);

        for (int i = 0; i < sent; i++) {
            assertThat(pipe.second().receiveBytes()).hasSize(MESSAGE_BYTES);
            conduct();
        }
        assertThat(pipe.second().receiveBytes()).containsExactly(1, 1, 1, 1);
    }

    @Test
    void processWhoseEndsAreBothClosedWaitsForNobody() {
        AtomicBoolean left = new AtomicBoolean();
        pipe.first().close();
        pipe.second().close();
        conduct();

        process.conductor.execute(() -> process.pipes.leave(() -> left.set(true)));
        conduct();
        assertThat(left).isTrue();
    }
}
