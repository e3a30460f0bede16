// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/**
 * Thrown if a thread is interrupted while it waits in a method of Fiber (FBR-303). The thread's interrupt flag is set
 * again. What it waited for continues, except for calls of managed objects (see {@link Manager}) and where a method
 * says otherwise.
 */
public final class WaitInterruptedException extends FiberException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception. The runtime does this, after setting the thread's interrupt flag again.
     *
     * @param what description of what the thread waited for, for example {@code "the end of process 'worker-3'"}
     * @param cause the interruption
     */
    public WaitInterruptedException(String what, InterruptedException cause) {
        super("FBR-303", "Interrupted while waiting for " + what + ".", cause);
    }
}
