// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.ProcessAddress;
import io.fiber.runtime.protocol.ProcessPath;

/** Takes what workers say to objects of other processes. Called by the conductor only. */
public interface RpcListener {

    /** Returns the address of the worker with this job number. */
    ProcessAddress processAddressOf(long jobNumber);

    /** The worker has proven itself: it may be spoken to. */
    void onAdmitted(RemoteWorker worker);

    /** Takes an RpcMessage or a Gone; the message is valid only during the call. */
    void onMessage(RemoteWorker from, Message message);

    /** The worker has ended: nothing more comes from it. */
    void onEnded(RemoteWorker worker, ProcessEnd end);

    /** Returns a listener for a session without calls. */
    static RpcListener closed() {
        return new RpcListener() {
            @Override
            public ProcessAddress processAddressOf(long jobNumber) {
                return new ProcessAddress("", ProcessPath.root().child(Math.toIntExact(jobNumber)));
            }

            @Override
            public void onAdmitted(RemoteWorker worker) {
                // No process calls its objects.
            }

            @Override
            public void onMessage(RemoteWorker from, Message message) {
                // It has no other process to call.
            }

            @Override
            public void onEnded(RemoteWorker worker, ProcessEnd end) {
                // No process has called it.
            }
        };
    }
}
