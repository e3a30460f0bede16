// SPDX-License-Identifier: Apache-2.0
/**
 * The {@code fiber} command. {@link io.fiber.cli.FiberCommand} is the main class; {@code docs/cli.md} says what each command
 * does and which exit codes it has.
 *
 * <p>Commands work over the contract of backends alone, so that they serve a stranger's backend as well as ours:
 * {@code ClassPath} decides whose backends count, {@code BackendAccess} opens the selected one; {@code KeptRuns} are those that
 * its platform keeps without a process.
 */
@NullMarked
package io.fiber.cli;

import org.jspecify.annotations.NullMarked;
