// SPDX-License-Identifier: Apache-2.0
/** Tests of the backend {@code docker}, most of them on a real engine. */
@NullMarked
package io.fiber.backend.docker;

import org.jspecify.annotations.NullMarked;
