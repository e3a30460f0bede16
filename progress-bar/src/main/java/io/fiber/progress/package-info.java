// SPDX-License-Identifier: Apache-2.0
/**
 * Shows long calls as a bar on the terminal, with {@link io.fiber.progress.TerminalBar}. Being on the class path is
 * enough.
 */
@NullMarked
package io.fiber.progress;

import org.jspecify.annotations.NullMarked;
