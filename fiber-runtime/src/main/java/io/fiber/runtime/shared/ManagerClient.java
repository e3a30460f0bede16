// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import static java.util.Objects.requireNonNull;

import io.fiber.FiberProcess;
import io.fiber.Manager;
import io.fiber.ManagerEndpoint;
import io.fiber.ProcessLostException;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.Hosted;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.rpc.ServiceCall;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** A manager as the program that has started it holds it. Thread-safe. */
final class ManagerClient extends ObjectsClient implements Manager {

    private static final Duration GOODBYE_LIMIT = Duration.ofSeconds(5);

    private final FiberProcess process;
    private final ReadyService readyService;
    private final RemoteObject registry;
    private final RemoteManagerServer.Of clients;

    /**
     * Creates the client of a process that is ready.
     *
     * @param readyService what it reported to, and what ends it
     * @param registry makes its objects
     */
    ManagerClient(
            FiberProcess process, ReadyService readyService, RemoteObject registry, RemoteManagerServer managerServer) {
        this.process = process;
        this.readyService = readyService;
        this.registry = registry;
        this.clients = managerServer.of(registry.address());
    }

    @Override
    RemoteObject registry() {
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
        readyService.finish();
        try {
            if (process.join(GOODBYE_LIMIT).isEmpty()) {
                process.kill();
            }
        } catch (ProcessLostException e) {
            // It has ended, which is all that is wanted here.
        } finally {
            readyService.withdraw();
        }
    }

    @Override
    public String toString() {
        return "Manager[" + process.name() + ", " + process.state() + "]";
    }

    /**
     * Where a manager's process reports when it is ready: it calls, naming its {@link Registry}, and serves until the call is
     * answered.
     */
    static final class ReadyService implements Hosted {

        /** The number of the only operation. */
        static final int SERVE = 0;

        private final CompletableFuture<ServiceCall> called = new CompletableFuture<>();
        private final AtomicBoolean finished = new AtomicBoolean();
        private final RpcRouter router;
        private final ObjectAddress address;

        ReadyService(RpcRouter router) {
            this.router = router;
            this.address = router.host(this);
        }

        ObjectAddress address() {
            return address;
        }

        @Override
        public void onCall(ServiceCall call) {
            called.complete(call);
        }

        /** Completes with the address of the registry. */
        CompletableFuture<ObjectAddress> registry() {
            return called.thenApply(call -> new ObjectAddress(
                    address.program(), call.caller(), call.request().argument()));
        }

        /** Lets the process end. */
        void finish() {
            ServiceCall call = called.getNow(null);
            if (call != null && finished.compareAndSet(false, true)) {
                router.conductor().execute(() -> call.answer(SealedPayload.none()));
            }
        }

        void withdraw() {
            router.withdraw(address);
        }
    }
}
