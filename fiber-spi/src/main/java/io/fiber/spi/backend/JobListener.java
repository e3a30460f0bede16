// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

/** Is told what becomes of jobs. */
@FunctionalInterface
public interface JobListener {

    /**
     * Takes an event.
     *
     * @implSpec Returns at once and never throws. A backend calls it from threads of its own, for one job never by two
     *     at the same time, in the order of {@link JobState}, each state at most once and exactly one
     *     {@link JobEvent.Ended} at the last (BKD-401 to BKD-404). A fault in asking the cluster is not an event (BKD-411).
     */
    void onEvent(JobEvent event);
}
