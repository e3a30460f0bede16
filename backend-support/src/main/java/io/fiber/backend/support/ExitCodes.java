// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.JobTermination.Cause;
import java.util.OptionalInt;

/** Exit codes as a shell has them: 128 + n is the end of a program that signal n ended. */
public final class ExitCodes {

    private static final int SIGNAL_BASE = 128;

    /** A program that itself exits with 129 to 192 cannot be told from one that a signal ended: a shell has it so too. */
    private static final int LAST_SIGNAL = 64;

    private ExitCodes() {}

    /** Returns the signal that an exit code tells of; empty when it tells of none. */
    public static OptionalInt signal(int exitCode) {
        int signal = exitCode - SIGNAL_BASE;
        return signal > 0 && signal <= LAST_SIGNAL ? OptionalInt.of(signal) : OptionalInt.empty();
    }

    /** Returns the exit code that tells of a signal; empty for a number that is none of a signal. */
    public static OptionalInt ofSignal(int signal) {
        return signal > 0 && signal <= LAST_SIGNAL ? OptionalInt.of(SIGNAL_BASE + signal) : OptionalInt.empty();
    }

    /** Returns the end of a job whose program ended with this code and was not asked to. */
    public static JobTermination termination(int exitCode) {
        OptionalInt signal = signal(exitCode);
        return signal.isPresent()
                ? JobTermination.failed(Cause.SIGNALLED, OptionalInt.of(exitCode), "signal " + signal.getAsInt())
                : JobTermination.exited(exitCode);
    }
}
