// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local.link;

import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.pipe.Pipes;
import io.fiber.runtime.protocol.ProcessAddress;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.runtime.serialization.Side;
import io.fiber.spi.CallerHost;
import io.fiber.spi.Options;
import io.fiber.spi.transport.Transport;
import io.fiber.tck.memory.MemoryNetwork;
import java.time.Duration;

/** Both ends of pipes in one process, over a network in memory; a test conducts it by hand. */
final class LoneProcess {

    final Conductor conductor = new Conductor("test", System::nanoTime, Duration.ofSeconds(20));
    final ProcessContext process;
    final Pipes pipes;

    LoneProcess(MemoryNetwork network) {
        this(network, "abcdefghij01");
    }

    LoneProcess(MemoryNetwork network, String program) {
        Transport transport = network.provider().create(new LoneContext(program, () -> CallerHost.Reach.SAME_HOST));
        RpcRouter router =
                new RpcRouter(new ProcessAddress(program, ProcessPath.root()), conductor, Seals.none(), Runnable::run);
        conductor.addTransport(transport);
        conductor.addDuty(router);
        process = new ProcessContext(
                router, binding -> Codecs.of(new JavaSerializerProvider(), Options.none(), Side.MASTER, binding));
        pipes = Pipes.open(process, transport);
    }

    void conduct(int cycles) {
        for (int i = 0; i < cycles; i++) {
            conductor.doWork();
        }
    }
}
