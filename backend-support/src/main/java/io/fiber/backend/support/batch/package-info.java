// SPDX-License-Identifier: Apache-2.0
/**
 * A backend of a batch system, of which its author gives a {@link io.fiber.backend.support.batch.BatchSystem}.
 *
 * <p>On the way out: {@link io.fiber.backend.support.batch.BatchBackend} takes submissions; {@link
 * io.fiber.backend.support.batch.SharedFolder} has the files that this process and the jobs see, the bootstrap files among them;
 * {@link io.fiber.backend.support.batch.BatchScript} renders the one script that a submission is, from {@code job.sh}. On the way
 * back: {@link io.fiber.backend.support.batch.Watch} looks for news that jobs have put into the folder, and asks the system about
 * all jobs at once; {@code Ruling} decides from both what has become of a job, and {@link
 * io.fiber.backend.support.batch.BatchJob} tells it. {@code JobText} brings home what a job writes: to the console ({@code
 * ConsoleText}), to a file of this host ({@code CopiedText}), or where it is ({@code FileText}), without
 * the system's own lines about an end that this session asked for ({@code EndNotices}).
 *
 * <p>{@link io.fiber.backend.support.batch.BatchHost} is the host that the system is used from. {@link
 * io.fiber.backend.support.batch.Commands} runs the system's programs there, and {@link
 * io.fiber.backend.support.batch.SharedFiles} has its files; nothing else talks to that host. {@code LocalCommands} and {@code
 * LocalFiles} are those of this one.
 *
 * <p>Threads: one that looks and tells, and at most two that wait for programs; none before the first submission.
 */
@NullMarked
package io.fiber.backend.support.batch;

import org.jspecify.annotations.NullMarked;
