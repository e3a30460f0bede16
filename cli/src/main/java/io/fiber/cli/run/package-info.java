// SPDX-License-Identifier: Apache-2.0
/**
 * Runs a program as a job of a backend, and keeps records of runs.
 *
 * <p>{@link io.fiber.cli.run.MasterProgram} parses the command line, so that the class path can be sent with the job.
 * {@link io.fiber.cli.run.Attached} submits a job, waits for its end and converts that into an exit code. {@link
 * io.fiber.cli.run.Restarts} does so again if the program can go on. {@link io.fiber.cli.run.Runs} is the directory in
 * which each run has a record, {@link io.fiber.cli.run.Run}; {@link io.fiber.cli.run.RunRecord} keeps it up to date.
 *
 * <p>A detached run has a keeper: this command again, in the background. If the platform can keep a job ({@code
 * Backend.detachedJobs()}), the keeper stays until it does, and the record says so. Otherwise the keeper is attached,
 * and the job ends with it as every job ends with its master.
 */
@NullMarked
package io.fiber.cli.run;

import org.jspecify.annotations.NullMarked;
