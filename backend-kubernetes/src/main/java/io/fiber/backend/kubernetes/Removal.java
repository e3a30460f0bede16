// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fiber.backend.support.BackendTasks;
import io.fiber.spi.backend.BackendException;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;

/** Deletes one pod. Thread-safe. */
final class Removal {

    private final Cluster cluster;
    private final String pod;
    private final BackendTasks tasks;
    private final Runnable whenGone;

    /**
     * Creates it.
     *
     * @param whenGone run on the backend's own thread when the pod turns out to be gone already
     */
    Removal(Cluster cluster, String pod, BackendTasks tasks, Runnable whenGone) {
        this.cluster = cluster;
        this.pod = pod;
        this.tasks = tasks;
        this.whenGone = whenGone;
    }

    /** Asks the pod to end, and kills it after a grace; less than a second would forget it where it is. */
    void begin(long graceNs) {
        long seconds = Math.max(1, TimeUnit.NANOSECONDS.toSeconds(graceNs + 999_999_999L));
        tasks.ask(() -> delete(seconds));
    }

    /** Forgets the pod at once, wherever it runs; its node kills it when it hears of it. */
    void force() {
        tasks.ask(() -> delete(0));
    }

    private void delete(long graceSeconds) {
        try {
            if (cluster.delete(pod, graceSeconds) == Cluster.Fate.GONE) {
                tasks.later(whenGone);
            }
        } catch (BackendException | Refusal e) {
            System.getLogger(Removal.class.getName()).log(Level.DEBUG, "The pod " + pod + " is deleted later.", e);
        }
    }
}
