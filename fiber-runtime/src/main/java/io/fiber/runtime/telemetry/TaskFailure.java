// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.telemetry;

import io.fiber.FiberException;

/**
 * A task that has failed, as its caller is told.
 *
 * @param pool the pool's name
 * @param call which of the pool's calls
 * @param task place of the task in the input of the call
 * @param thrown what the caller is thrown
 */
public record TaskFailure(String pool, long call, long task, FiberException thrown) {}
