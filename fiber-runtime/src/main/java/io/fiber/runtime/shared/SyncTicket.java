// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.protocol.ProcessPath;

/**
 * The name of one request, under which it waits.
 *
 * @param party who asked
 * @param number chosen by its process, never twice
 */
record SyncTicket(LockHolder party, long number) {

    /** Tells whether a thread of this process, or of one under it, asked. */
    boolean isOf(ProcessPath process) {
        return party.process().isUnder(process);
    }
}
