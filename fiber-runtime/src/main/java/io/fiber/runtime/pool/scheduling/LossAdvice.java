// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.runtime.process.ProcessEnd;
import io.fiber.runtime.protocol.ExitCode;

/** The advice in the error for a task whose workers were lost: what the end of the last one makes likely. */
final class LossAdvice {

    private static final String RERUN = "If the task may safely run again, raise maxReruns.";
    private static final String MEMORY = "If the task needs more memory, give its workers more (resources); if it may"
            + " safely run again, raise maxReruns.";
    private static final String EXIT = "Look for System.exit in the task and in the libraries that it uses: it ends"
            + " the worker. If the task may safely run again, raise maxReruns.";
    private static final String SILENCE = "A worker ends with this code if it has heard nothing from its master for"
            + " longer than the lease. If the master's host may sleep or pause, raise lease; if the task may safely run"
            + " again, raise maxReruns.";

    /** Shells and platforms use exit codes from this one on for signals. */
    private static final int FIRST_SIGNAL_CODE = 129;

    /** The kernel ends a process with this signal if a host or a container has no memory left. */
    private static final int CODE_OF_SIGKILL = 137;

    private LossAdvice() {}

    static String on(ProcessEnd end) {
        if (end.lastLines().stream().anyMatch(line -> line.contains("OutOfMemoryError"))) {
            return MEMORY;
        }
        int code = end.exitCode().orElse(-1);
        return switch (end.cause()) {
            case EXITED -> onExit(code);
            case SIGNALLED -> code == CODE_OF_SIGKILL && end.kind() != ProcessEnd.Kind.HALTED ? MEMORY : RERUN;
            case OUT_OF_MEMORY -> MEMORY;
            // The worker may have said with which code it ends.
            case UNKNOWN -> end.exitCode().isEmpty() ? MEMORY : onExit(code);
            case TIME_LIMIT, PREEMPTED, NODE_LOST, CANCELLED, START_FAILED, NO_ROOM -> RERUN;
        };
    }

    private static String onExit(int code) {
        if (code == ExitCode.MASTER_LOST.code()) {
            return SILENCE;
        }
        boolean isOfTheTask = code >= 0 && code < FIRST_SIGNAL_CODE && !ExitCode.isOfFiber(code);
        return isOfTheTask ? EXIT : code == CODE_OF_SIGKILL ? MEMORY : RERUN;
    }
}
