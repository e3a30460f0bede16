// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

/** A call that has not ended, as its caller holds it. Thread-safe. */
public interface PendingCall {

    /**
     * Tells the host that the caller waits no longer. The call ends nonetheless in one reply: {@link Reply.Abandoned}, or the
     * answer that was on its way.
     */
    void abandon();
}
