// SPDX-License-Identifier: Apache-2.0
/**
 * A backend for batch systems, whose author implements a {@link io.fiber.backend.support.batch.BatchSystem}.
 *
 * <p>To the system: {@link io.fiber.backend.support.batch.BatchBackend} receives submissions and divides them among
 * {@link io.fiber.backend.support.batch.Place places}: the system's queue, and what the system puts before it. {@link
 * io.fiber.backend.support.batch.SharedFolder} has the files that this process and the jobs see, including the
 * bootstrap files. {@link io.fiber.backend.support.batch.BatchScript} renders the single script of a submission from
 * {@code job.sh}; with {@link io.fiber.backend.support.batch.Restarts}, it starts its program again.
 *
 * <p>From the system: {@code Watch} looks for reports of jobs in the folder, and asks the system about all jobs at once.
 * {@code Ruling} decides from both what has happened to a job, and {@code BatchJob} reports it. {@code JobText} fetches
 * a job's output: to the console ({@code ConsoleText}), to a file of this host ({@code CopiedText}), or from where it is
 * ({@code FileText}). It leaves out the system's own lines about an end that this session requested ({@code EndNotices}).
 *
 * <p>{@link io.fiber.backend.support.batch.BatchHost} is the host from which the system is used: this one ({@code
 * LocalHost}) or another. {@link io.fiber.backend.support.batch.Commands} runs the system's programs there, and {@link
 * io.fiber.backend.support.batch.SharedFiles} accesses its files; nothing else communicates with that host. {@code
 * LocalCommands} and {@code LocalFiles} are for this host.
 *
 * <p>Threads: one that watches and reports, and up to two that wait for programs; none before the first submission.
 */
@NullMarked
package io.fiber.backend.support.batch;

import org.jspecify.annotations.NullMarked;
