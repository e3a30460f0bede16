// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

/** What happens to calls that only the holder of a lock may make. */
final class NotHeld {

    private NotHeld() {}

    /**
     * Returns the reply.
     *
     * @throws IllegalMonitorStateException FBR-431 when the caller does not hold the lock
     */
    static SyncReply check(SyncReply reply, Object what) {
        if (reply.outcome() == Outcome.NOT_HELD) {
            throw new IllegalMonitorStateException("FBR-431 Thread '"
                    + Thread.currentThread().getName() + "' of this process does not hold " + what
                    + ", whose last grant is "
                    + reply.number() + ": it never did, has given it back, or its grant has ended. Stop what the lock"
                    + " guards.");
        }
        return reply;
    }
}
