// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/**
 * A thread was interrupted while it waited for something of Fiber (FBR-303). Its interrupt flag is set again. What it
 * waited for goes on, except for calls of managed objects (see {@link Manager}) and where the method that waited says
 * otherwise.
 */
public final class WaitInterruptedException extends FiberException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception. The runtime does this, after setting the thread's interrupt flag again.
     *
     * @param what in words, what was waited for, for example {@code "the end of process 'worker-3'"}
     * @param cause the interruption
     */
    public WaitInterruptedException(String what, InterruptedException cause) {
        super("FBR-303", "Interrupted while waiting for " + what + ".", cause);
    }
}
