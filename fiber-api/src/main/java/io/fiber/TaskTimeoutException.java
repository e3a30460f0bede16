// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/**
 * A task ran longer than its deadline (FBR-483). It was interrupted; when it took no notice of that for the grace (setting
 * {@code shutdown-grace}), its worker was ended and replaced.
 */
public final class TaskTimeoutException extends FiberException {
    private static final long serialVersionUID = 1L;

    private TaskTimeoutException(String message) {
        super("FBR-483", message);
    }

    /** Returns the exception of a task that ended when it was interrupted. */
    public static TaskTimeoutException interrupted(String task) {
        return new TaskTimeoutException(
                task + " ran longer than its deadline and was interrupted. Give it more time, or smaller work.");
    }

    /** Returns the exception of a task that took no notice of the interrupt. */
    public static TaskTimeoutException ended(String task, String worker) {
        return new TaskTimeoutException(task + " ran longer than its deadline on worker '" + worker
                + "' and took no notice of an interrupt, so its worker was ended. Give it more time, or let it look at"
                + " Thread.interrupted().");
    }
}
