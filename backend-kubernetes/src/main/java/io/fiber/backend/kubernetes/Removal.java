// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fiber.spi.backend.BackendException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Deletes one pod. Thread-safe. */
final class Removal {

    private final Cluster cluster;
    private final String pod;
    private final KubernetesJob.Owner owner;
    private final Runnable whenGone;

    /**
     * Creates it.
     *
     * @param whenGone run on the backend's own thread when the pod turns out to be gone already
     */
    Removal(Cluster cluster, String pod, KubernetesJob.Owner owner, Runnable whenGone) {
        this.cluster = cluster;
        this.pod = pod;
        this.owner = owner;
        this.whenGone = whenGone;
    }

    /** Asks the pod to end, and kills it after a grace; less than a second would forget it where it is. */
    void begin(Duration grace) {
        long seconds = Math.max(1, TimeUnit.NANOSECONDS.toSeconds(saturatedNanos(grace) + 999_999_999L));
        owner.ask(() -> delete(seconds));
    }

    /** Forgets the pod at once, wherever it runs; its node kills it when it hears of it. */
    void force() {
        owner.ask(() -> delete(0));
    }

    private void delete(long graceSeconds) {
        try {
            if (cluster.delete(pod, graceSeconds) == Cluster.Fate.GONE) {
                owner.later(whenGone);
            }
        } catch (BackendException | Refusal e) {
            System.getLogger(Removal.class.getName()).log(Level.DEBUG, "The pod " + pod + " is deleted later.", e);
        }
    }

    /** Returns nanoseconds that can be added to a nanoTime without ending up in the past. */
    static long saturatedNanos(Duration duration) {
        try {
            return Math.min(duration.toNanos(), Long.MAX_VALUE / 4);
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE / 4;
        }
    }
}
