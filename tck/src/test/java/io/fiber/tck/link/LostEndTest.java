// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.EndOfStreamException;
import io.fiber.Pipe;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A link that breaks while an end of its pipe is closed. */
@Timeout(60)
class LostEndTest {

    private static final String PROGRAM = "abcdefghij01";
    private static final int CYCLES = 50;

    private final MemoryNetwork network = new MemoryNetwork();
    private final Transport transport =
            network.provider().create(new LoneContext(PROGRAM, () -> CallerHost.Reach.SAME_HOST));
    private final Conductor conductor = new Conductor("test", System::nanoTime, Duration.ofSeconds(20));
    private final Pipe pipe = openPipes().pipe();

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
    void sendAMessage() {
        pipe.first().poll(Duration.ZERO);
        pipe.second().poll(Duration.ZERO);
        conduct();
        pipe.first().send("first");
    }

    private void conduct() {
        for (int i = 0; i < CYCLES; i++) {
            conductor.doWork();
        }
    }

    @Test
    void endOfWhichTheLastDidNotArriveIsAnError() {
        assertThat(pipe.second().<String>receive()).isEqualTo("first");
        network.cutAll();
        pipe.first().close();
        conduct();
        network.severAll("its process was killed");
        conduct();

        assertThatThrownBy(() -> pipe.second().receive())
                .isNotInstanceOf(EndOfStreamException.class)
                .hasMessageStartingWith("FBR-457 The other end of pipe 0/")
                .hasMessageEndingWith("What has arrived is not the whole.");
    }

    @Test
    void endThatArrivedIsOneThoughTheLinkBreaksBehindIt() {
        pipe.first().close();
        conduct();
        network.severAll("its process has ended");
        conduct();

        assertThat(pipe.second().<String>receive()).isEqualTo("first");
        assertThatThrownBy(() -> pipe.second().receive())
                .isInstanceOf(EndOfStreamException.class)
                .hasMessageStartingWith("FBR-450 ")
                .hasMessageEndingWith("was closed.");
    }
}
