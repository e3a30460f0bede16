// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.WaitInterruptedException;

/** Interruptions as the JDK's interfaces tell them. */
final class Interrupts {

    private Interrupts() {}

    /** Returns the exception that the JDK's interfaces declare; the thread's flag is cleared, as they ask. */
    static InterruptedException checked(WaitInterruptedException interruption) {
        Thread.interrupted();
        InterruptedException checked = new InterruptedException(interruption.getMessage());
        checked.initCause(interruption);
        return checked;
    }
}
