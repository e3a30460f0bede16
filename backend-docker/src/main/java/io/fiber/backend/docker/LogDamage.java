// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;

/** Reports once that a part of a job's output is lost. Thread-safe. */
final class LogDamage {

    private final String job;
    private final AtomicBoolean isTold = new AtomicBoolean();

    LogDamage(String job) {
        this.job = job;
    }

    /** Reports lines that were written while nothing was read, and are no longer in the log. */
    void tellGap() {
        warn("Lines of the job '" + job + "' may be missing here, or come twice: the connection to Docker broke, and"
                + " Docker's log no longer has the last lines that arrived; it keeps the last "
                + ContainerPlan.KEPT_LOG + " of each log.");
    }

    /** Reports the reason, if nothing was reported before. */
    void tell(String why) {
        if (!isTold.getAndSet(true)) {
            warn("Output of the job '" + job + "' may be lost, because its log at Docker cannot be read: " + why);
        }
    }

    private static void warn(String text) {
        System.getLogger(LogDamage.class.getName()).log(Level.WARNING, text);
    }
}
