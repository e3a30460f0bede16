// SPDX-License-Identifier: Apache-2.0
/** Tests of the command, most of them as a process of its own with real parts. */
@NullMarked
package io.fiber.cli;

import org.jspecify.annotations.NullMarked;
