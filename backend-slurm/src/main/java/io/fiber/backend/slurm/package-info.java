// SPDX-License-Identifier: Apache-2.0
/**
 * The backend {@code slurm}: a job is an element of a Slurm job array, or a step of the job that this process runs in.
 *
 * <p>{@link io.fiber.backend.slurm.SlurmBackendProvider} is the way in. {@code SlurmBackend} takes submissions, {@code Launcher} puts them
 * where they run: {@code Steps} into the {@code Allocation} around this process, one srun ({@code StepRun}) each, or into
 * Slurm's queue. {@code SiteOptions} is what the user said of the site, {@code JobScript} renders what Slurm reads of a script. {@code Login} is the
 * host that Slurm is used from. {@code Slurm} knows the words of its programs, {@code QueueRow} what they answer.
 *
 * <p>The files that jobs see, their watch, and what becomes of them is that of all batch systems: {@link
 * io.fiber.backend.support.batch}. Its {@code Watch} sees {@code Slurm}, or {@code Steps} in front of it, as a {@code Scheduler}.
 *
 * <p>From a workstation: {@code SshLogin} is such a host. Scripts of {@code SshCommands} and {@code SshFiles} run there by {@link
 * io.fiber.backend.slurm.ssh}; many small files go as a {@code TarArchive}. {@code Staging} sends the class path, as {@code PackedPath}
 * has made it files.
 *
 * <p>Threads: one that looks and tells, and at most two that wait for Slurm's programs; none before the first submission. Each
 * srun has one more, as long as it lives.
 */
@NullMarked
package io.fiber.backend.slurm;

import org.jspecify.annotations.NullMarked;
