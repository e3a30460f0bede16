// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ends a process when this command ends, for example by Ctrl-C, until it is closed. Ctrl-C itself does not reach a
 * process that was started in the background. Thread-safe.
 */
final class SharedEnd implements AutoCloseable {

    /** A process that has begun to submit a job may take some time to withdraw it. */
    private static final long LIMIT_S = 10;

    private final Process process;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread hook = new Thread(this::end, "fiber-keeper-end");
    private volatile boolean begun;

    private SharedEnd(Process process) {
        this.process = process;
    }

    static SharedEnd with(Process process) {
        SharedEnd end = new SharedEnd(process);
        try {
            Runtime.getRuntime().addShutdownHook(end.hook);
        } catch (IllegalStateException e) {
            // This command is already ending.
            end.begun = true;
            process.destroy();
        }
        return end;
    }

    /** Returns whether this command is ending, and the process was asked to end. */
    boolean hasBegun() {
        return begun;
    }

    /** Waits until it is closed, so that what the process leaves can be removed. */
    private void end() {
        begun = true;
        process.destroy();
        try {
            closed.await(LIMIT_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The hook has run, or ends now.
        }
    }
}
