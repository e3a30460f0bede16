// SPDX-License-Identifier: Apache-2.0
/**
 * What a worker asks of the process that started it, one question and one answer at a time.
 *
 * <p>{@link io.fiber.runtime.supply.SupplyLine} is the worker's end, {@link io.fiber.runtime.supply.SupplyDesk} the other
 * one, which hands a question to the {@link io.fiber.runtime.supply.Supplies} of its kind. A process between the first one
 * and a worker's worker answers out of what it has itself, and asks on for the rest.
 */
@NullMarked
package io.fiber.runtime.supply;

import org.jspecify.annotations.NullMarked;
