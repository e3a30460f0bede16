// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import io.fiber.FiberException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Says in one line what a program waited for when it was ended by Ctrl-C or {@code System.exit}: its session ends first, so
 * that threads that wait for it are thrown something, and their traces would bury what the program has written. A program
 * that has a default handler of its own keeps it. Thread-safe.
 */
final class ExitNotice implements Thread.UncaughtExceptionHandler {

    private final AtomicBoolean said = new AtomicBoolean();

    private ExitNotice() {}

    /** Has the uncaught exceptions of a JVM that is ending told so. */
    static synchronized void install() {
        if (Thread.getDefaultUncaughtExceptionHandler() == null) {
            Thread.setDefaultUncaughtExceptionHandler(new ExitNotice());
        }
    }

    @Override
    public void uncaughtException(Thread thread, Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof FiberException ours) {
                say(ours);
                return;
            }
        }
        System.err.print("Exception in thread \"" + thread.getName() + "\" ");
        thrown.printStackTrace();
    }

    private void say(FiberException thrown) {
        if (said.compareAndSet(false, true)) {
            String message = String.valueOf(thrown.getMessage());
            System.err.println("This program was ended by a signal or System.exit, and its session with it: "
                    + message.lines().findFirst().orElse(message));
        }
    }
}
