// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.runtime.protocol.Message;

/** Takes the requests of workers that start processes of their own. Called by the conductor only. */
public interface NestedJobHandler {

    /** Takes a JobRequest, JobCancel or JobLogs; the message is valid only during the call. */
    void onMessage(RemoteWorker from, Message message);

    /** The worker has ended: what it asked for must end as well. */
    void onEnded(RemoteWorker worker);

    /** Returns a handler that ignores every request, for a supervisor without nested jobs. */
    static NestedJobHandler closed() {
        return new NestedJobHandler() {
            @Override
            public void onMessage(RemoteWorker from, Message message) {
                // No worker has been admitted that could ask.
            }

            @Override
            public void onEnded(RemoteWorker worker) {
                // It has asked for nothing.
            }
        };
    }
}
