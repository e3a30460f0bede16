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

    /**
     * Returns the exception of a task that ended when it was interrupted. The runtime does this.
     *
     * @param task in words, which task of which pool on which worker
     */
    public static TaskTimeoutException interrupted(String task) {
        return new TaskTimeoutException(
                task
                        + " ran longer than its deadline and was interrupted. Raise the deadline, or give the task less to do.");
    }

    /**
     * Returns the exception of a task that went on when it was interrupted. The runtime does this.
     *
     * @param task in words, which task of which pool on which worker
     */
    public static TaskTimeoutException ended(String task) {
        return new TaskTimeoutException(task
                + " ran longer than its deadline and went on when it was interrupted, so its worker was ended. Raise the"
                + " deadline, or have the task end when Thread.interrupted() is true.");
    }
}
