// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.runtime.wire.Message;

/** Takes what workers ask for beside jobs. Belongs to the conductor. */
public interface SupplyCounter {

    /** Takes a question; valid only during the call. */
    void onRequest(RemoteWorker from, Message message);

    /** Returns a counter that hears nothing. */
    static SupplyCounter closed() {
        return (from, message) -> {};
    }
}
