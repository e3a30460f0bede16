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
        warn("Lines of the job '" + job
                + "' are missing: the connection to Docker broke, and Docker no longer has what the job wrote"
                + " meanwhile; it keeps the last " + ContainerPlan.KEPT_LOG
                + " of each log. The number of missing lines is unknown.");
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
