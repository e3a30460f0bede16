// SPDX-License-Identifier: Apache-2.0
/**
 * Queues between processes. {@link io.fiber.runtime.queue.QueueMachine} decides who gets what and what is gone;
 * {@link io.fiber.runtime.queue.QueueHost} is a queue in the process that it lives in,
 * {@link io.fiber.runtime.queue.QueueHandle} what programs hold everywhere. Items pass the host as sealed bytes, unread.
 */
@NullMarked
package io.fiber.runtime.queue;

import org.jspecify.annotations.NullMarked;
