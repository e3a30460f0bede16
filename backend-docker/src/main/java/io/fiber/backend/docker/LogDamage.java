// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;

/** Says once that a part of a job's output cannot be had. Thread-safe. */
final class LogDamage {

    private final String job;
    private final AtomicBoolean isTold = new AtomicBoolean();

    LogDamage(String job) {
        this.job = job;
    }

    /** Tells why, if nothing was told before. */
    void tell(String why) {
        if (!isTold.getAndSet(true)) {
            System.getLogger(LogDamage.class.getName())
                    .log(
                            Level.WARNING,
                            "Output of the job '" + job + "' may be lost, for its log at Docker cannot be read: "
                                    + why);
        }
    }
}
