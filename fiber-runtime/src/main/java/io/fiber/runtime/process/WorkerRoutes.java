// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.ProcessAddress;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.security.Seals;

/** The workers of one session, as the router of the process that started them reaches them. Belongs to the conductor. */
public final class WorkerRoutes implements RpcListener {

    private final RpcRouter router;
    private final Seals seals;

    /**
     * Creates the lines of a session.
     *
     * @param router the router of this process
     * @param seals those of the session
     */
    public WorkerRoutes(RpcRouter router, Seals seals) {
        this.router = router;
        this.seals = seals;
    }

    @Override
    public ProcessAddress processAddressOf(long jobNumber) {
        return new ProcessAddress(router.processAddress().program(), path(jobNumber));
    }

    private ProcessPath path(long jobNumber) {
        return router.path().child(Math.toIntExact(jobNumber));
    }

    @Override
    public void onAdmitted(RemoteWorker worker) {
        router.connect(path(worker.jobNumber()), worker::offer, seals);
    }

    @Override
    public void onMessage(RemoteWorker from, Message message) {
        router.onMessageOf(path(from.jobNumber()), message);
    }

    @Override
    public void onEnded(RemoteWorker worker, ProcessEnd end) {
        router.disconnect(path(worker.jobNumber()), "'" + worker.name() + "' has ended: " + end.how());
    }
}
