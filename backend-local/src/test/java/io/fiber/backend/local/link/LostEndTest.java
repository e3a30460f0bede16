// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.EndOfStreamException;
import io.fiber.Pipe;
import io.fiber.tck.memory.MemoryNetwork;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A link that breaks while an end of its pipe is closed. */
class LostEndTest {

    private static final int CYCLES = 50;

    private final MemoryNetwork network = new MemoryNetwork();
    private final LoneProcess process = new LoneProcess(network);
    private final Pipe<String, String> pipe = process.pipes.pipe();

    @BeforeEach
    void sendAMessage() {
        pipe.first().poll(Duration.ZERO);
        pipe.second().poll(Duration.ZERO);
        conduct();
        pipe.first().send("first");
    }

    private void conduct() {
        process.conduct(CYCLES);
    }

    @Test
    void endOfWhichTheLastDidNotArriveIsAnError() {
        assertThat(pipe.second().receive()).isEqualTo("first");
        network.cutAll();
        pipe.first().close();
        conduct();
        network.severAll("its process was killed");
        conduct();

        assertThatThrownBy(() -> pipe.second().receive())
                .isNotInstanceOf(EndOfStreamException.class)
                .hasMessageStartingWith("FBR-457 The other end of pipe 0/")
                .hasMessageEndingWith("The messages that arrived are not all that were sent.");
    }

    @Test
    void endThatArrivedIsOneThoughTheLinkBreaksBehindIt() {
        pipe.first().close();
        conduct();
        network.severAll("its process has ended");
        conduct();

        assertThat(pipe.second().receive()).isEqualTo("first");
        assertThatThrownBy(() -> pipe.second().receive())
                .isInstanceOf(EndOfStreamException.class)
                .hasMessageStartingWith("FBR-450 ")
                .hasMessageEndingWith("was closed.");
    }
}
