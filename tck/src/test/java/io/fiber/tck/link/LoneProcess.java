// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.link;

import io.fiber.runtime.conductor.Conductor;
import io.fiber.runtime.pipe.Pipes;
import io.fiber.runtime.secure.Seals;
import io.fiber.runtime.serial.Codecs;
import io.fiber.runtime.serial.JavaSerializerProvider;
import io.fiber.runtime.serial.Side;
import io.fiber.runtime.service.Here;
import io.fiber.runtime.service.Switchboard;
import io.fiber.runtime.wire.ProcessPath;
import io.fiber.runtime.wire.Seat;
import io.fiber.spi.Options;
import io.fiber.spi.backend.CallerHost;
import io.fiber.spi.transport.Transport;
import io.fiber.tck.memory.MemoryNetwork;
import java.time.Duration;

/** Both ends of pipes in one process, over a network in memory; a test conducts it by hand. */
final class LoneProcess {

    private static final String PROGRAM = "abcdefghij01";

    final Conductor conductor = new Conductor("test", System::nanoTime, Duration.ofSeconds(20));
    final Pipes pipes;

    LoneProcess(MemoryNetwork network) {
        Transport transport = network.provider().create(new LoneContext(PROGRAM, () -> CallerHost.Reach.SAME_HOST));
        Switchboard switchboard =
                new Switchboard(new Seat(PROGRAM, ProcessPath.root()), conductor, Seals.none(), Runnable::run);
        conductor.addTransport(transport);
        conductor.addDuty(switchboard);
        Here here = Here.of(
                switchboard, binding -> Codecs.of(new JavaSerializerProvider(), Options.none(), Side.MASTER, binding));
        pipes = Pipes.open(here, transport, () -> {});
    }

    void conduct(int cycles) {
        for (int i = 0; i < cycles; i++) {
            conductor.doWork();
        }
    }
}
