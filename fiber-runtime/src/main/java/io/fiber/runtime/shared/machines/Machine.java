// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.rpc.Hosted;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.rpc.ServiceCall;

/** A synchronizer or queue without threads or clock. Used by the conductor, so it does not read the items that pass. */
abstract class Machine implements Hosted {

    @Override
    public final void onCall(ServiceCall call) {
        SyncCall asked = SyncCall.of(call);
        on(asked);
        if (asked.isOpen()) {
            call.onAbandoned(() -> onWithdraw(asked));
        }
    }

    @Override
    public final void onTell(ProcessPath from, Request request) {
        on(SyncCall.told(from, request));
    }

    /** Handles a call: answers it now or after a later event. */
    abstract void on(SyncCall call);

    /** The calling thread stopped waiting before its call was answered. */
    abstract void onWithdraw(SyncCall call);
}
