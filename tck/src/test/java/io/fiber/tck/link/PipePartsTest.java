// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.FiberException;
import io.fiber.Pipe;
import io.fiber.runtime.conductor.Conductor;
import io.fiber.runtime.link.LinkReader;
import io.fiber.runtime.pipe.PipeParts;
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
import io.fiber.spi.transport.OfferResult;
import io.fiber.spi.transport.Transport;
import io.fiber.tck.memory.MemoryNetwork;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The parts of a pipe leave and arrive once, whatever the conductor does with the end at the same moment. */
class PipePartsTest {

    private static final String PROGRAM = "abcdefghij01";
    private static final int CYCLES = 50;

    private final Transport transport =
            new MemoryNetwork().provider().create(new LoneContext(PROGRAM, () -> CallerHost.Reach.SAME_HOST));
    private final Conductor conductor = new Conductor("test", System::nanoTime, Duration.ofSeconds(20));
    private final Pipe pipe = openPipes().pipe();
    private final PipeParts sending = Pipes.partsOf(pipe.first());
    private final PipeParts receiving = Pipes.partsOf(pipe.second());
    private final List<String> arrived = new ArrayList<>();
    private final LinkReader.Handler taker =
            (kind, remaining, part) -> arrived.add(kind + " " + remaining + " " + StandardCharsets.UTF_8.decode(part));

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
    void linkTheEnds() {
        sending.join();
        receiving.join();
        conduct();
        sending.awaitLinked();
        receiving.awaitLinked();
    }

    private void conduct() {
        for (int i = 0; i < CYCLES; i++) {
            conductor.doWork();
        }
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
