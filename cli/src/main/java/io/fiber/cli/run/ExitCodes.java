// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import io.fiber.spi.backend.JobTermination;

/**
 * Converts the end of a job into the exit code of this command: the program's own, or one that other commands use, too.
 */
public final class ExitCodes {

    /** The command has done what was requested. */
    public static final int OK = 0;

    /** The command has failed and printed why. */
    public static final int FAILED = 1;

    /** For {@code fiber run}, as in docker: the program did not run, or how it ended is unknown. */
    public static final int NOT_RUN = 125;

    private static final int TIME_LIMIT = 124;
    private static final int KILLED = 137;
    private static final int SIGNAL_BASE = 128;

    private ExitCodes() {}

    /** Returns the exit code for a job that this command has not cancelled. */
    public static int of(JobTermination end) {
        return switch (end.cause()) {
            case EXITED, SIGNALLED -> end.exitCode().orElse(FAILED);
            case OUT_OF_MEMORY -> end.exitCode().orElse(KILLED);
            case TIME_LIMIT -> TIME_LIMIT;
            case START_FAILED -> end.exitCode().orElse(NOT_RUN);
            case CANCELLED, PREEMPTED, NODE_LOST, NO_ROOM, UNKNOWN -> NOT_RUN;
        };
    }

    /** Returns the exit code that a shell gives a program ended by this signal: 128 plus the signal's number. */
    static int ofSignal(int number) {
        return SIGNAL_BASE + number;
    }
}
