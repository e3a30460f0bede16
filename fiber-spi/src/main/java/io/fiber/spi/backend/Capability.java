// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

/**
 * What a backend may be able to do beyond what every backend must do. If a field of a {@link JobSpec} needs a
 * capability that is not declared, {@link Backend#submit} throws {@link JobRejectedException} with code FBR-106 and
 * starts nothing. Only {@link #LABELS} are ignored silently. (BKD-501)
 */
public enum Capability {
    /** {@link Job#logs} works; without it, the method throws {@link UnsupportedOperationException}. */
    LOGS,
    /** {@link JobOutput.Console} works: what jobs write appears on the console of the submitting process. */
    CONSOLE,
    /**
     * {@link io.fiber.spec.Resources#cpus()} is honoured: as a limit or a reservation if the platform has one, and as
     * the number of processors that the JVM of a Java program assumes. More than the host has is rejected. (BKD-511)
     */
    CPU_LIMIT,
    /** {@link io.fiber.spec.Resources#memoryBytes()} is honoured. */
    MEMORY_LIMIT,
    /**
     * {@link io.fiber.spec.Resources#gpus()} is honoured: no other job has a GPU of a job before its process has ended. A
     * job waits if too few are free, and is rejected or waits if there are too few at all. (BKD-516, BKD-522)
     */
    GPU,
    /** {@link JobSpec#image()} is honoured. */
    IMAGE,
    /** {@link JobSpec#volumes()} is honoured. */
    VOLUMES,
    /** {@link JobSpec#labels()} appear in the platform's own record of the job. Without it, labels are ignored. */
    LABELS,
    /** {@link JobSpec#timeLimit()} is honoured. */
    TIME_LIMIT,
    /** {@link JobSpec#restarts()} is honoured. */
    RESTARTS,
    /** {@link JobSpec#workingDirectory()} is honoured. */
    WORKING_DIRECTORY,
    /** Jobs see the files of this host under the same paths, so the class path need not be sent. */
    SHARED_FILES,
    /** {@link JobEvent.Preempting} is sent before the platform ends a job for its own reasons. */
    PREEMPTION_NOTICE
}
