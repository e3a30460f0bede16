// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.ProcessPath;

/** Says why calls were lost. */
final class RpcErrors {

    private RpcErrors() {}

    static Reply.Reason gone(ObjectAddress object, ProcessPath who, String how) {
        return new Reply.Reason(
                "FBR-400",
                "The process " + who + " is gone, and with it the object " + object + " that was called: " + how
                        + ". What lives in a process ends with it; keep it in one that lives longer.");
    }

    static Reply.Lost withdrawn(RpcMessage message) {
        return new Reply.Lost(new Reply.Reason(
                "FBR-421",
                "The object " + message.object() + " of the process " + message.from()
                        + " does not exist any more: it was closed there."));
    }

    /** A fault that names bytes is no fault of Fiber: a process had no room for them. */
    static Reply.Lost fault(RpcMessage message) {
        long refusedBytes = message.request().argument();
        if (refusedBytes > 0) {
            return new Reply.Lost(new Reply.Reason(
                    "FBR-208",
                    Payload.refusedElsewhere(
                            refusedBytes,
                            "on its way between this process and the object " + message.object() + " of the process "
                                    + message.from())));
        }
        return new Reply.Lost(new Reply.Reason(
                "FBR-423",
                "The object " + message.object() + " of the process " + message.from()
                        + " could not take the call, by a fault of Fiber; the log of that process says more."));
    }
}
