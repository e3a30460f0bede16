// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

/**
 * What a backend may be able to do beyond what every one must. Where a field of a {@link JobSpec} needs a capability that
 * is not declared, {@link Backend#submit} throws {@link JobRejectedException} with code FBR-106 and starts nothing: a
 * wish is never ignored silently, {@link #LABELS} excepted. (BKD-501)
 */
public enum Capability {
    /** {@link Job#logs} works; without it the method throws {@link UnsupportedOperationException}. */
    LOGS,
    /** {@link JobOutput.Console} works: what jobs write appears on the console of the submitting process. */
    CONSOLE,
    /**
     * {@link io.fiber.spi.Resources#cpus()} is honoured as a limit or a reservation, where the platform knows one, and as the
     * number of processors that a Java program's JVM counts on; more than the host has is refused. (BKD-511)
     */
    CPU_LIMIT,
    /** {@link io.fiber.spi.Resources#memoryBytes()} is honoured. */
    MEMORY_LIMIT,
    /** {@link io.fiber.spi.Resources#gpus()} is honoured. */
    GPU,
    /** {@link JobSpec#image()} is honoured. */
    IMAGE,
    /** {@link JobSpec#volumes()} is honoured. */
    VOLUMES,
    /** {@link JobSpec#labels()} can be seen on the platform's own record of the job. Without it labels are ignored. */
    LABELS,
    /** {@link JobSpec#timeLimit()} is honoured. */
    TIME_LIMIT,
    /** {@link JobSpec#workingDirectory()} is honoured. */
    WORKING_DIRECTORY,
    /** Jobs see the files of this host under the same paths; the class path needs no shipping. */
    SHARED_FILES,
    /** {@link JobEvent.Preempting} is sent before the platform ends a job for a reason of its own. */
    PREEMPTION_NOTICE
}
