// SPDX-License-Identifier: Apache-2.0
/**
 * Common parts of backends that the contract does not require. A backend uses what fits its platform; nothing here is
 * mandatory. Depends only on {@code fiber-spi} and knows no platform.
 *
 * <ul>
 *   <li>{@link io.fiber.backend.support.ReportingJob}: a job that reports to its listener; a backend's own job extends
 *       it
 *   <li>{@link io.fiber.backend.support.SubmissionGate}: admits submissions until the backend is closed or hands its
 *       jobs over
 *   <li>{@link io.fiber.backend.support.BackendTasks}, {@link io.fiber.backend.support.BackendThreads}: one thread that
 *       reports and keeps time, and a few that wait for the platform
 *   <li>{@link io.fiber.backend.support.LineStream}, {@link io.fiber.backend.support.LastLines}, {@link
 *       io.fiber.backend.support.OutputSinks}: the output of jobs as whole lines, the last of them, and their
 *       destination
 *   <li>{@link io.fiber.backend.support.ExitCodes}: exit codes as in a shell
 *   <li>{@link io.fiber.backend.support.CallerAddress}: addresses of this host that jobs may dial
 *   <li>{@link io.fiber.backend.support.PackedPath}: the class path as files to be sent, identified by their content
 *   <li>{@link io.fiber.backend.support.LongWords}: a class path that is too long for a command line
 *   <li>{@link io.fiber.backend.support.SessionLabels}, {@link io.fiber.backend.support.Sweep}: how the objects of a
 *       session are found on the platform, and how they are removed when the session or its program has ended
 *   <li>{@link io.fiber.backend.support.SessionOwner}, {@link io.fiber.backend.support.FoundSessions}: which process
 *       they belong to, and which sessions have ended
 *   <li>{@link io.fiber.backend.support.DetachedRuns}: jobs that the platform keeps without a program
 *   <li>{@link io.fiber.backend.support.CredentialProgram}: a program that prints credentials
 *   <li>{@code io.fiber.backend.support.batch}: a whole backend for platforms that accept scripts into a queue
 *   <li>{@link io.fiber.backend.support.ContainedProgram}, {@link io.fiber.backend.support.UserIds}: the command, the
 *       memory and the user of a container
 * </ul>
 *
 * <p>A backend that sends requests to its platform has one {@code BackendThreads}. Its {@code submit} goes through the
 * gate, calls {@code Sweep.prepare} before it creates anything, and returns jobs that extend {@code ReportingJob}. What
 * the platform reports about them is passed to {@code BackendThreads.later}, so that one thread calls all listeners.
 * Its {@code close} closes the gate and cancels the jobs, and then calls {@code BackendThreads.finish}, {@code
 * Sweep.finish} and {@code BackendThreads.close}.
 */
@NullMarked
package io.fiber.backend.support;

import org.jspecify.annotations.NullMarked;
