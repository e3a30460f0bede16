// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.logging;

import java.util.Optional;

/**
 * How the engine takes what is thrown by code that it calls: of providers, listeners, hosted objects, inputs, and its own
 * commands. There are two kinds.
 *
 * <p>A fault of that code, whether it is an exception, a LinkageError or an AssertionError, ends what was asked and nothing
 * else. A failure of the JVM ({@link VirtualMachineError}: no memory, no stack) may come from any line: on a conductor, whose
 * state is half done then, it ends the conductor, and all that wait are told.
 */
public final class Faults {

    private Faults() {}

    /** Runs a part on a conductor; logs a fault of it and returns that. A failure of the JVM is thrown on. */
    public static Optional<Throwable> conducted(Class<?> source, String what, Runnable part) {
        try {
            part.run();
            return Optional.empty();
        } catch (VirtualMachineError e) {
            throw e;
        } catch (Throwable e) {
            Logs.of(source).log(System.Logger.Level.ERROR, what, e);
            return Optional.of(e);
        }
    }

    /** Runs a part on a thread that has its own state only; whatever it throws is logged. */
    public static void isolated(Class<?> source, String what, Runnable part) {
        try {
            part.run();
        } catch (Throwable e) {
            Logs.of(source).log(System.Logger.Level.WARNING, what, e);
        }
    }
}
