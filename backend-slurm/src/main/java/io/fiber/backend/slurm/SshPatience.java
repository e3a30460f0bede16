// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.Session;
import io.fiber.backend.support.BackendThreads;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Bounds the opening of a session. A socket has time limits of its own, but one for each step; a way through another host
 * has none, and a host behind it that says nothing would be waited for without end.
 */
final class SshPatience {

    /** The socket's own limits say more when they are met. */
    private static final long LATER_MS = 500;

    private SshPatience() {}

    /** The host has not answered in time. */
    static final class SilentException extends JSchException {
        private static final long serialVersionUID = 1L;

        SilentException(Duration limit, JSchException cause) {
            super(
                    "it has not answered within " + limit.toMillis()
                            + " ms, as a host that is switched off, or behind a"
                            + " firewall that drops packets, or in a network that needs a VPN",
                    cause);
        }
    }

    /**
     * Opens a session within a limit.
     *
     * @throws SilentException when that is over
     */
    static void connect(Session session, Duration limit) throws JSchException {
        CountDownLatch done = new CountDownLatch(1);
        AtomicBoolean isOver = new AtomicBoolean();
        unless(done, limit.plusMillis(LATER_MS), "fiber-slurm-connects", () -> {
            isOver.set(true);
            session.disconnect();
        });
        try {
            session.connect((int) limit.toMillis());
        } catch (JSchException e) {
            throw isOver.get() || isTimeOut(e) ? new SilentException(limit, e) : e;
        } finally {
            done.countDown();
        }
    }

    /** Does something, on a thread of this name, when a limit is over and something else is not done. */
    static void unless(CountDownLatch done, Duration limit, String name, Runnable late) {
        BackendThreads.daemons(name)
                .newThread(() -> {
                    try {
                        if (!done.await(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                            late.run();
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                })
                .start();
    }

    private static boolean isTimeOut(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (each instanceof java.net.SocketTimeoutException
                    || String.valueOf(each.getMessage()).startsWith("timeout: socket")) {
                return true;
            }
        }
        return false;
    }
}
