// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/**
 * Thrown if a task ran longer than its deadline (FBR-483). The task was interrupted. If it still ran after the time of
 * the setting {@code shutdown-grace}, its worker was ended and replaced.
 */
public final class TaskTimeoutException extends FiberException {
    private static final long serialVersionUID = 1L;

    private TaskTimeoutException(String message) {
        super("FBR-483", message);
    }

    /**
     * Returns the exception for a task that ended when it was interrupted. The runtime calls this.
     *
     * @param task description of the task, its pool and its worker
     */
    public static TaskTimeoutException interrupted(String task) {
        return new TaskTimeoutException(task
                + " ran longer than its deadline and was interrupted. Raise the deadline, or give the task"
                + " less to do.");
    }

    /**
     * Returns the exception for a task that kept running when it was interrupted. The runtime calls this.
     *
     * @param task description of the task, its pool and its worker
     */
    public static TaskTimeoutException ended(String task) {
        return new TaskTimeoutException(task
                + " ran longer than its deadline and did not stop when it was interrupted, so its worker was ended."
                + " Raise the"
                + " deadline, or have the task end when Thread.interrupted() is true.");
    }
}
