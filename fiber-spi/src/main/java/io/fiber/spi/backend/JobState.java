// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

/**
 * The state of a job. A job moves down this list and never back; the last four states are final.
 *
 * <pre>{@code
 * QUEUED ──program started──► RUNNING ──exit code 0──► SUCCEEDED
 *    │                           ├─another code, a signal, a limit──► FAILED
 *    ├─cannot start──► FAILED    ├─cancel──► CANCELLED
 *    ├─cancel──► CANCELLED       └─the platform forgets it──► LOST
 *    └─the platform forgets it──► LOST
 * }</pre>
 */
public enum JobState {
    /** The platform has accepted the job and has not started it. */
    QUEUED,
    /** The job's program has been started. */
    RUNNING,
    /** The program ended with exit code 0. */
    SUCCEEDED,
    /** The program ended with another exit code, or the platform ended it or could not start it. */
    FAILED,
    /** The job ended because its owner cancelled it. */
    CANCELLED,
    /** The platform no longer knows the job, so how it ended is unknown. */
    LOST;

    /** Returns whether a job in this state has ended. */
    public boolean isFinal() {
        return compareTo(SUCCEEDED) >= 0;
    }
}
