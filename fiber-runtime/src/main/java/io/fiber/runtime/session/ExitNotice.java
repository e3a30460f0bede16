// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import io.fiber.FiberException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Says in one line what a program waited for when Ctrl-C or {@code System.exit} ended it. The session ends first, so
 * waiting threads get exceptions, whose traces would bury the program's output. A program with a default exception
 * handler keeps it. Thread-safe.
 */
final class ExitNotice implements Thread.UncaughtExceptionHandler {

    private final AtomicBoolean said = new AtomicBoolean();

    private ExitNotice() {}

    /** Sends the uncaught exceptions of an ending JVM to the notice. Returns the notice of this JVM. */
    static synchronized ExitNotice install() {
        if (Thread.getDefaultUncaughtExceptionHandler() instanceof ExitNotice installed) {
            return installed;
        }
        ExitNotice notice = new ExitNotice();
        if (Thread.getDefaultUncaughtExceptionHandler() == null) {
            Thread.setDefaultUncaughtExceptionHandler(notice);
        }
        return notice;
    }

    @Override
    public void uncaughtException(Thread thread, Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof FiberException ours) {
                String message = String.valueOf(ours.getMessage());
                say(message.lines().findFirst().orElse(message));
                return;
            }
        }
        System.err.print("Exception in thread \"" + thread.getName() + "\" ");
        thrown.printStackTrace();
    }

    /** Says this instead of what ended with the program. */
    void replace(String line) {
        if (said.compareAndSet(false, true)) {
            System.err.println(line);
        }
    }

    /** Says what ended with the program, unless something was said before. */
    void say(String what) {
        if (said.compareAndSet(false, true)) {
            System.err.println(
                    "This program was ended by a signal or System.exit, which also ended its session: " + what);
        }
    }
}
