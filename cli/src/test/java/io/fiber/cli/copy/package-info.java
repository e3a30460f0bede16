// SPDX-License-Identifier: Apache-2.0
/** Tests of what {@code fiber cp} is made of. */
@NullMarked
package io.fiber.cli.copy;

import org.jspecify.annotations.NullMarked;
