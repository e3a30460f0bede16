// SPDX-License-Identifier: Apache-2.0
/**
 * The {@code fiber} command. {@link io.fiber.cli.FiberCommand} is the main class; {@code docs/cli.md} describes each
 * command and its exit codes.
 *
 * <p>Commands use only the contract of backends, so they work with any backend, not just ours. {@link
 * io.fiber.cli.run.ClassPath} decides which backends are available. {@link io.fiber.cli.run.BackendAccess} opens the
 * selected backend, and {@code Platform} the one that options or a record select. {@code KeptRuns} creates runs from a platform's {@code DetachedJob}s; {@code
 * RecordedRuns} updates this user's records of them.
 */
@NullMarked
package io.fiber.cli;

import org.jspecify.annotations.NullMarked;
