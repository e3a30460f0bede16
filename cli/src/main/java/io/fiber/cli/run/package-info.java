// SPDX-License-Identifier: Apache-2.0
/**
 * Runs a program as a job of a backend, and keeps account of what runs.
 *
 * <p>{@link io.fiber.cli.run.MasterProgram} reads the command line, so that a class path travels with the job;
 * {@link io.fiber.cli.run.Attached} submits one job, waits for its end and turns that into an exit code;
 * {@link io.fiber.cli.run.Runs} is the directory in which each run has a record, {@link io.fiber.cli.run.Run}.
 *
 * <p>A detached run has a keeper: this command again, in the background. Where the platform can keep a job ({@code
 * Backend.detachedJobs()}), it stays until that is so, and the record says so; else it is attached, and the job ends with it as
 * every job ends with its master.
 */
@NullMarked
package io.fiber.cli.run;

import org.jspecify.annotations.NullMarked;
