// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.FiberProcess;
import io.fiber.ProcessLostException;
import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.Hosted;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.rpc.ServiceCall;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A running manager's process. Thread-safe.
 *
 * @param readyService what it reported to, and what ends it
 * @param readyAddress where that is
 * @param registry makes its objects
 */
record ManagerProcess(
        FiberProcess process, ReadyService readyService, ObjectAddress readyAddress, RemoteObject registry) {

    private static final Duration GOODBYE_LIMIT = Duration.ofSeconds(5);

    /** Ends the process, by force if it does not by itself. */
    void end() {
        RpcRouter router = registry.process().router();
        readyService.finish(router.conductor());
        try {
            if (process.join(GOODBYE_LIMIT).isEmpty()) {
                process.kill();
            }
        } catch (ProcessLostException e) {
            // It has ended, which is all that is wanted here.
        } finally {
            router.withdraw(readyAddress);
        }
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

        @Override
        public void onCall(ServiceCall call) {
            called.complete(call);
        }

        @Override
        public void onCallerGone(ProcessPath caller) {}

        /** Completes with the address of the registry. */
        CompletableFuture<ObjectAddress> registry(String program) {
            return called.thenApply(call ->
                    new ObjectAddress(program, call.caller(), call.request().argument()));
        }

        /** Lets the process end. */
        void finish(Conductor conductor) {
            ServiceCall call = called.getNow(null);
            if (call != null && finished.compareAndSet(false, true)) {
                conductor.execute(() -> call.answer(SealedPayload.none()));
            }
        }
    }
}
