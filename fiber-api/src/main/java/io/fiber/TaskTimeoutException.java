// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/**
 * Thrown if a task ran longer than its deadline (FBR-483). The task was interrupted. If it still ran after the time of
 * the setting {@code shutdown-grace}, its worker was ended and replaced.
 */
public final class TaskTimeoutException extends FiberException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception with code FBR-483. */
    public TaskTimeoutException(String message) {
        super("FBR-483", message);
    }
}
