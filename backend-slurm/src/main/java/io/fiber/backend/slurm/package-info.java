// SPDX-License-Identifier: Apache-2.0
/**
 * The backend {@code slurm}: a job is an element of a Slurm job array, or a step of the job that this process runs in.
 *
 * <p>{@link io.fiber.backend.slurm.SlurmBackendProvider} is the way in. {@code SlurmBackend} is the {@link
 * io.fiber.backend.support.batch.BatchBackend} of all batch systems, and what Slurm has beyond it: detached runs ({@code
 * DetachedQueue}) and what other sessions have left ({@code Remains}).
 *
 * <p>Jobs start in two places. {@code SlurmQueue} is Slurm's queue; before it, {@code Steps} fills the {@code Allocation}
 * around this process with one srun ({@code StepRun}) for each job, and is asked about these. {@code SiteOptions} is what the
 * user said of the site, and {@code JobScript} renders the directives of a script. {@code Slurm} runs Slurm's programs, and
 * {@code QueueRow} parses their answers.
 *
 * <p>From a workstation: {@code SshLogin} is the host from which Slurm is used. Scripts of {@code SshCommands} and {@code
 * SshFiles} run there by {@link io.fiber.backend.slurm.ssh}; many small files go as a {@code TarArchive}. {@code Staging}
 * sends the class path, as {@code PackedPath} has made it files.
 *
 * <p>Threads: one that looks and tells, and at most two that wait for Slurm's programs; none before the first submission. Each
 * srun has one more, as long as it lives.
 */
@NullMarked
package io.fiber.backend.slurm;

import org.jspecify.annotations.NullMarked;
