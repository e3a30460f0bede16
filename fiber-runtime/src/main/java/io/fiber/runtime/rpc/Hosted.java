// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import io.fiber.runtime.protocol.ProcessPath;

/**
 * What answers the calls to one object. All methods are called by the conductor of the host: they must not block, run no
 * user code and deserialize nothing, but hand that to an executor.
 */
public interface Hosted {

    /** Takes a call, which is to be answered once, now or later. */
    void onCall(ServiceCall call);

    /** Takes a message that has no answer. */
    default void onTell(ProcessPath from, Request request) {}

    /**
     * A process that may have called has ended, and with it all that stand under it: nothing more comes from them, and
     * what they held is to be released. Their open calls have been abandoned before.
     */
    default void onCallerGone(ProcessPath caller) {}
}
