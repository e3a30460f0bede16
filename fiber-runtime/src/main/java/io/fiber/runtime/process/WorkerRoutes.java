// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.ProcessAddress;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.WorkerRole;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.ReplyListener;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.rpc.UsageService;
import io.fiber.runtime.security.Seals;

/**
 * The workers of one session, as the router of the process that started them reaches them. Belongs to the conductor.
 *
 * @param services the objects of this process that the workers call
 */
public record WorkerRoutes(RpcRouter router, Seals seals, WorkerRole.Services services) {

    ProcessAddress processAddressOf(long jobNumber) {
        return new ProcessAddress(router.processAddress().program(), path(jobNumber));
    }

    private ProcessPath path(long jobNumber) {
        return router.path().child(Math.toIntExact(jobNumber));
    }

    /** Asks a worker what it uses of its host, see {@link UsageService}. */
    void askUsage(RemoteWorker worker, int operation, ReplyListener listener) {
        ProcessAddress process = processAddressOf(worker.jobNumber());
        router.call(
                new ObjectAddress(process.program(), process.path(), UsageService.OBJECT),
                Request.of(operation, 0),
                listener);
    }

    /** The worker has proven itself: it may be spoken to. */
    void onAdmitted(RemoteWorker worker) {
        router.connect(path(worker.jobNumber()), worker::offer, seals);
    }

    /** Takes an RpcMessage or a Gone; the message is valid only during the call. */
    void onMessage(RemoteWorker from, Message message) {
        router.onMessageOf(path(from.jobNumber()), message);
    }

    /** The worker has ended: nothing more comes from it. */
    void onEnded(RemoteWorker worker, ProcessEnd end) {
        router.disconnect(path(worker.jobNumber()), "'" + worker.name() + "' has ended: " + end.how());
    }
}
