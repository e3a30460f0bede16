// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.ProcessAddress;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.security.Seals;

/** The workers of one session, as the exchange of the process that started them reaches them. Belongs to the conductor. */
public final class WorkerRoutes implements RpcListener {

    private final RpcRouter switchboard;
    private final Seals seals;

    /**
     * Creates the lines of a session.
     *
     * @param switchboard the exchange of this process
     * @param seals those of the session
     */
    public WorkerRoutes(RpcRouter switchboard, Seals seals) {
        this.switchboard = switchboard;
        this.seals = seals;
    }

    @Override
    public ProcessAddress seatOf(long jobNumber) {
        return new ProcessAddress(switchboard.seat().program(), path(jobNumber));
    }

    private ProcessPath path(long jobNumber) {
        return switchboard.here().child(Math.toIntExact(jobNumber));
    }

    @Override
    public void onAdmitted(RemoteWorker worker) {
        switchboard.connect(path(worker.jobNumber()), worker::offer, seals);
    }

    @Override
    public void onMessage(RemoteWorker from, Message message) {
        switchboard.onMessageOf(path(from.jobNumber()), message);
    }

    @Override
    public void onEnded(RemoteWorker worker, ProcessEnd end) {
        switchboard.disconnect(path(worker.jobNumber()), "'" + worker.name() + "' has ended: " + end.how());
    }
}
