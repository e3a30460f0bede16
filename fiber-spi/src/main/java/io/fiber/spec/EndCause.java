// SPDX-License-Identifier: Apache-2.0
package io.fiber.spec;

/** What ended a job, and so a process or a worker. A later release may add causes. */
public enum EndCause {
    /** The program ended on its own. */
    EXITED,
    /** A signal that the owner did not send. */
    SIGNALLED,
    /** The job used more memory than it was given. */
    OUT_OF_MEMORY,
    /** The job ran longer than it was allowed. */
    TIME_LIMIT,
    /** The platform needed its resources for something else. */
    PREEMPTED,
    /** The machine on which it ran is gone. */
    NODE_LOST,
    /** Its owner cancelled it. */
    CANCELLED,
    /**
     * The platform could not start it, and the next job like it will probably fail, too: its program or image is
     * missing, or the job is not allowed. A pool counts a failed start.
     */
    START_FAILED,
    /**
     * The platform accepted it and did not start it, because the room that it was to have was taken or gone. Its
     * program never ran. The next job like it may start, so a pool does not count a failed start.
     */
    NO_ROOM,
    /** The cause is unknown. */
    UNKNOWN
}
