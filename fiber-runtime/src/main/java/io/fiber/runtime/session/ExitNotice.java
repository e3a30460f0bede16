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

    /** Has the uncaught exceptions of a JVM that is ending told so. Returns the notice of this JVM. */
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

    /** Says what ended with the program, unless something was said before. */
    void say(String what) {
        if (said.compareAndSet(false, true)) {
            System.err.println("This program was ended by a signal or System.exit, and its session with it: " + what);
        }
    }
}
