// SPDX-License-Identifier: Apache-2.0
/** What is behind a {@link io.fiber.Pool}. */
@NullMarked
package io.fiber.runtime.pool;

import org.jspecify.annotations.NullMarked;
