// SPDX-License-Identifier: Apache-2.0
/**
 * Shows calls that last long as a bar on the terminal: {@link io.fiber.progress.TerminalBar}, found by being on the class
 * path.
 */
@NullMarked
package io.fiber.progress;

import org.jspecify.annotations.NullMarked;
