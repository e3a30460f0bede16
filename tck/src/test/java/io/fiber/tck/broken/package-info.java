// SPDX-License-Identifier: Apache-2.0
/** The kit run against implementations that break one clause each. */
@NullMarked
package io.fiber.tck.broken;

import org.jspecify.annotations.NullMarked;
