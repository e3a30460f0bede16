// SPDX-License-Identifier: Apache-2.0
/**
 * How far a call has come, and who hears of it: {@link io.fiber.runtime.pool.progress.CallProgress} tells the listener of
 * the call and the {@link io.fiber.runtime.pool.progress.Displays} of the program, such as a bar in the terminal.
 */
@NullMarked
package io.fiber.runtime.pool.progress;

import org.jspecify.annotations.NullMarked;
