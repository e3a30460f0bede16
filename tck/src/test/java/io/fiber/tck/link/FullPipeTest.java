// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.EndOfStreamException;
import io.fiber.Pipe;
import io.fiber.SendingEnd;
import io.fiber.WaitInterruptedException;
import io.fiber.runtime.conductor.Conductor;
import io.fiber.runtime.pipe.Pipes;
import io.fiber.runtime.process.Codecs;
import io.fiber.runtime.process.Seals;
import io.fiber.runtime.serial.JavaSerializerProvider;
import io.fiber.runtime.serial.Side;
import io.fiber.runtime.service.Here;
import io.fiber.runtime.service.ProcessPath;
import io.fiber.runtime.service.Seat;
import io.fiber.runtime.service.Switchboard;
import io.fiber.spi.Options;
import io.fiber.spi.backend.CallerHost;
import io.fiber.spi.transport.Transport;
import io.fiber.tck.memory.MemoryNetwork;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What was sent and closed gets over when both directions are full and nobody receives in either. */
@Timeout(60)
class FullPipeTest {

    private static final String PROGRAM = "abcdefghij01";
    private static final int CYCLES = 200;
    private static final int MESSAGE_BYTES = 4_000;

    private final Transport transport =
            new MemoryNetwork().provider().create(new LoneContext(PROGRAM, () -> CallerHost.Reach.SAME_HOST));
    private final Conductor conductor = new Conductor("test", System::nanoTime, Duration.ofSeconds(20));
    private final Pipes pipes = openPipes();
    private final Pipe pipe = pipes.pipe();
    private int sent;

    private Pipes openPipes() {
        Switchboard switchboard =
                new Switchboard(new Seat(PROGRAM, ProcessPath.root()), conductor, Seals.none(), Runnable::run);
        conductor.addTransport(transport);
        conductor.addDuty(switchboard);
        Here here = Here.of(
                switchboard, binding -> Codecs.of(new JavaSerializerProvider(), Options.none(), Side.MASTER, binding));
        return Pipes.open(here, transport, () -> {});
    }

    @BeforeEach
    void fillBothDirections() {
        pipe.first().poll(Duration.ZERO);
        pipe.second().poll(Duration.ZERO);
        conduct();
        fill(pipe.second());
        sent = fill(pipe.first());
    }

    private void conduct() {
        for (int i = 0; i < CYCLES; i++) {
            conductor.doWork();
        }
    }

    /** Returns how many messages were sent; the last of them is under way. */
    private static int fill(SendingEnd end) {
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
        conductor.execute(() -> pipes.leave(() -> left.set(true)));
        conduct();
        assertThat(left).isTrue();
    }

    @Test
    void processWhoseEndsAreBothClosedWaitsForNobody() {
        AtomicBoolean left = new AtomicBoolean();
        pipe.first().close();
        pipe.second().close();
        conduct();

        conductor.execute(() -> pipes.leave(() -> left.set(true)));
        conduct();
        assertThat(left).isTrue();
    }
}
