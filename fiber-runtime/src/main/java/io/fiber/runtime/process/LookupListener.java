// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.runtime.protocol.Message;

/** Takes what workers ask for beside jobs. Belongs to the conductor. */
public interface LookupListener {

    /** Takes a question; valid only during the call. */
    void onRequest(RemoteWorker from, Message message);

    /** Returns a counter that hears nothing. */
    static LookupListener closed() {
        return (from, message) -> {};
    }
}
