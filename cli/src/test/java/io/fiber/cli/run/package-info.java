// SPDX-License-Identifier: Apache-2.0
/** Tests of what {@code fiber run} reads and answers. */
@NullMarked
package io.fiber.cli.run;

import org.jspecify.annotations.NullMarked;
