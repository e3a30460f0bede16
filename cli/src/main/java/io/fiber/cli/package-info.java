// SPDX-License-Identifier: Apache-2.0
/**
 * The {@code fiber} command. {@link io.fiber.cli.FiberCommand} is the main class; {@code docs/cli.md} says what each command
 * does and which exit codes it has.
 *
 * <p>Commands work over the contract of backends alone, so that they serve a stranger's backend as well as ours:
 * {@code ClassPath} decides whose backends count, {@code BackendAccess} opens the selected one, {@code Platform} the one that
 * options or a record lead to. {@code KeptRuns} makes runs of a platform's {@code DetachedJob}s; {@code RecordedRuns} brings
 * this user's records of them up to date.
 */
@NullMarked
package io.fiber.cli;

import org.jspecify.annotations.NullMarked;
