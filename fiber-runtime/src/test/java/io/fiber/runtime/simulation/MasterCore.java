// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.platform.ClassPathSnapshot;
import io.fiber.runtime.process.ProcessMachine;
import io.fiber.runtime.process.WorkerSupervisor;
import io.fiber.runtime.protocol.ProcessAddress;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.Protocol;
import io.fiber.runtime.protocol.ProviderName;
import io.fiber.runtime.protocol.WorkerRole;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.security.Seals;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.transport.Transport;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/** The real parts of a simulated master. */
record MasterCore(Conductor conductor, WorkerSupervisor supervisor, Seals seals) {

    private static final long END_LIMIT_NS = 5_000_000_000L;
    private static final long EXIT_WAIT_NS = 1_000_000_000;
    private static final long CANCEL_WAIT_NS = 5_000_000_000L;

    /** What a master works with and by. */
    record Terms(Transport transport, Backend backend, Duration lease, long startLimitNs) {}

    /** Creates a master without workers; {@code blocking} runs what may block. */
    static MasterCore of(World world, Terms terms, Executor blocking) {
        Conductor conductor = new Conductor("master", world::nowNs, terms.lease);
        conductor.addTransport(terms.transport);
        WorkerSupervisor supervisor = new WorkerSupervisor(
                new WorkerSupervisor.Terms(
                        "session",
                        "master",
                        new ProviderName("simulated", "none"),
                        Map.of(),
                        Map.of(),
                        ClassPathSnapshot.NONE,
                        new ProcessMachine.Limits(terms.startLimitNs, END_LIMIT_NS, EXIT_WAIT_NS, CANCEL_WAIT_NS),
                        new AtomicInteger(1)::getAndAdd),
                conductor,
                terms.transport,
                terms.backend,
                blocking);
        conductor.addDuty(supervisor);
        Seals seals = supervisor.openFirstLink()
                ? Seals.none()
                : Seals.under(supervisor.payloadKey(), Protocol.MASTER_NUMBER, (sealer, what) -> {});
        RpcRouter router = new RpcRouter(new ProcessAddress("session", ProcessPath.root()), conductor, seals, blocking);
        supervisor.serveCalls(new WorkerSupervisor.Routes(router, seals, new WorkerRole.Services(1_001, 1_002)));
        return new MasterCore(conductor, supervisor, seals);
    }
}
