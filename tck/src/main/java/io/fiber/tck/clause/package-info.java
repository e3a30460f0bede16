// SPDX-License-Identifier: Apache-2.0
/**
 * {@link io.fiber.tck.clause.Clause} marks a test of a contract. The other classes select such tests, name them, and
 * make their failures readable without the kit's source.
 */
@NullMarked
package io.fiber.tck.clause;

import org.jspecify.annotations.NullMarked;
