// SPDX-License-Identifier: Apache-2.0
/**
 * What several backends need and the contract does not ask for: a backend takes of it what fits its platform, and none of it
 * must be used. It depends on {@code fiber-spi} alone and knows no platform.
 *
 * <ul>
 *   <li>{@link io.fiber.backend.support.ReportingJob}: a job that tells its listener; a backend's own job extends it
 *   <li>{@link io.fiber.backend.support.SubmissionGate}: submissions pass it until the backend is closed
 *   <li>{@link io.fiber.backend.support.BackendTasks}, {@link io.fiber.backend.support.BackendThreads}: one thread that tells and keeps time, a few that wait for the
 *       platform
 *   <li>{@link io.fiber.backend.support.LineStream}, {@link io.fiber.backend.support.LastLines}, {@link
 *       io.fiber.backend.support.OutputSinks}: what jobs write as whole lines, the last of them, and where they go
 *   <li>{@link io.fiber.backend.support.ExitCodes}: exit codes as a shell has them
 *   <li>{@link io.fiber.backend.support.CallerAddress}: addresses of this host that jobs may dial
 *   <li>{@link io.fiber.backend.support.PackedPath}: the class path as files to be sent, known by their content
 *   <li>{@link io.fiber.backend.support.LongWords}: a class path that is too long for a command line
 *   <li>{@link io.fiber.backend.support.SessionLabels}, {@link io.fiber.backend.support.Sweep}: how the things of a session
 *       are found on the platform, and how they are removed when the session or its program has ended
 *   <li>{@link io.fiber.backend.support.SessionOwner}, {@link io.fiber.backend.support.FoundSessions}: whose they are, and
 *       which of them have ended
 *   <li>{@link io.fiber.backend.support.DetachedRuns}: jobs that the platform keeps without a program
 *   <li>{@link io.fiber.backend.support.CredentialProgram}: a program that prints credentials
 *   <li>{@code io.fiber.backend.support.batch}: all of a backend whose platform takes scripts into a queue
 *   <li>{@link io.fiber.backend.support.ContainedProgram}, {@link io.fiber.backend.support.UserIds}: the command, the memory
 *       and the user of a container
 * </ul>
 *
 * <p>A backend whose platform is asked by requests has one {@code BackendThreads}. Its {@code submit} goes through the gate,
 * calls {@code Sweep.prepare} before it makes anything, and returns jobs that extend {@code ReportingJob}; what the platform
 * says of them is passed to {@code BackendThreads.later}, so that all listeners are called by one thread. Its {@code close}
 * closes the gate, cancels the jobs, and ends with {@code BackendThreads.finish}, {@code Sweep.finish} and {@code
 * BackendThreads.close}.
 */
@NullMarked
package io.fiber.backend.support;

import org.jspecify.annotations.NullMarked;
