// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

/** Receives the events of jobs. */
@FunctionalInterface
public interface JobListener {

    /**
     * Receives an event.
     *
     * @implSpec Returns at once and never throws. A backend calls it from threads of its own, but never from two at the
     *     same time for one job. Events follow the order of {@link JobState}: each state at most once, and exactly one
     *     {@link JobEvent.Ended} at the end (BKD-401 to BKD-404). A failed request to the cluster is not an event
     *     (BKD-411).
     */
    void onEvent(JobEvent event);
}
