// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.rpc.Hosted;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.rpc.ServiceCall;

/** A synchronizer or queue, without threads or clock. Belongs to the conductor: calls are numbers, items pass unread. */
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

    /** Handles what is asked. It is answered now, or once a later event lets it. */
    abstract void on(SyncCall call);

    /** The thread that asked waits no longer, and its call has no answer yet. */
    abstract void onWithdraw(SyncCall call);
}
