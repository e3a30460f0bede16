// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import io.fiber.spec.EndCause;
import io.fiber.spi.backend.JobTermination;
import java.util.OptionalInt;

/** Interprets exit codes as a shell does: 128 + n means that signal n ended the program. */
public final class ExitCodes {

    private static final int SIGNAL_BASE = 128;
    private static final int SIGXCPU = 24;
    private static final int SIGXFSZ = 25;

    /** A program that itself exits with 129 to 192 looks the same as one that a signal ended, as in a shell. */
    private static final int LAST_SIGNAL = 64;

    private ExitCodes() {}

    /** Returns the signal that an exit code stands for; empty if it stands for none. */
    public static OptionalInt signal(int exitCode) {
        int signal = exitCode - SIGNAL_BASE;
        return signal > 0 && signal <= LAST_SIGNAL ? OptionalInt.of(signal) : OptionalInt.empty();
    }

    /** Returns the exit code for a signal; empty if the number is not a signal. */
    public static OptionalInt ofSignal(int signal) {
        return signal > 0 && signal <= LAST_SIGNAL ? OptionalInt.of(SIGNAL_BASE + signal) : OptionalInt.empty();
    }

    /** Returns a signal with its cause, if only one is likely. */
    public static String inWords(int signal) {
        return "signal " + signal
                + switch (signal) {
                    case SIGXCPU -> " (SIGXCPU): it has used the processor time that a limit allows (ulimit -t)";
                    case SIGXFSZ -> " (SIGXFSZ): a file has reached the size that a limit allows (ulimit -f)";
                    default -> "";
                };
    }

    /** Returns the termination of a job whose program ended with this code and was not asked to. */
    public static JobTermination termination(int exitCode) {
        OptionalInt signal = signal(exitCode);
        return signal.isPresent()
                ? JobTermination.failed(EndCause.SIGNALLED, OptionalInt.of(exitCode), inWords(signal.getAsInt()))
                : JobTermination.exited(exitCode);
    }
}
