// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import io.fiber.runtime.protocol.ProcessPath;

/**
 * Answers the calls to one object. The conductor of the host calls all methods: they must not block, run user code or
 * deserialize anything, but pass that on to an executor.
 */
public interface Hosted {

    /** Receives a call, which must be answered once, now or later. */
    void onCall(ServiceCall call);

    /** Receives a message without an answer. */
    default void onTell(ProcessPath from, Request request) {}

    /**
     * Records that a process that may have called has ended, and all processes below it. Nothing more arrives from
     * them, and what they held is to be released. Their open calls have been abandoned before.
     */
    default void onCallerGone(ProcessPath caller) {}
}
