// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.managers;

import static java.util.Objects.requireNonNull;

import io.fiber.FiberProcess;
import io.fiber.Manager;
import io.fiber.ManagerEndpoint;
import io.fiber.ProcessLostException;
import io.fiber.WaitInterruptedException;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.rpc.ServiceCall;
import io.fiber.runtime.shared.ObjectsClient;
import io.fiber.runtime.shared.RemoteObject;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** A manager as the program that has started it holds it. Thread-safe. */
final class ManagerClient extends ObjectsClient implements Manager {

    private static final Duration GOODBYE_LIMIT = Duration.ofSeconds(5);

    private final FiberProcess process;
    private final ObjectAddress ready;
    private final ServiceCall serving;
    private final AtomicBoolean ending = new AtomicBoolean();
    private final RemoteObject registry;
    private final RemoteManagerServer.Of clients;

    /** Creates the client of a process that has said at {@code ready} that it is; the answer to {@code serving} ends it. */
    ManagerClient(
            FiberProcess process,
            ObjectAddress ready,
            ServiceCall serving,
            RemoteObject registry,
            RemoteManagerServer managerServer) {
        this.process = process;
        this.ready = ready;
        this.serving = serving;
        this.registry = registry;
        this.clients = managerServer.of(registry.address());
    }

    @Override
    protected RemoteObject registry() {
        return registry;
    }

    @Override
    public ManagerEndpoint listen() {
        return clients.listen();
    }

    @Override
    public ManagerEndpoint listen(ManagerEndpoint endpoint) {
        return clients.listen(requireNonNull(endpoint, "endpoint"));
    }

    @Override
    public FiberProcess process() {
        return process;
    }

    @Override
    public void close() {
        try {
            clients.close();
        } finally {
            end();
        }
    }

    /** Ends the process, by force if it does not by itself. */
    private void end() {
        RpcRouter router = registry.process().router();
        if (ending.compareAndSet(false, true)) {
            router.conductor().execute(() -> serving.answer(SealedPayload.none()));
        }
        try {
            if (process.join(GOODBYE_LIMIT).isEmpty()) {
                process.kill();
            }
        } catch (WaitInterruptedException e) {
            // The thread stays interrupted.
            process.kill();
        } catch (ProcessLostException e) {
            // It has ended, which is all that is wanted here.
        } finally {
            router.withdraw(ready);
        }
    }

    @Override
    public String toString() {
        return "Manager[" + process.name() + ", " + process.state() + "]";
    }
}
