// SPDX-License-Identifier: Apache-2.0
/**
 * Locks, semaphores, events, barriers and queues as state machines: a request comes in, replies go out, at once or with a
 * later request. Who waits is an entry in a list; no thread waits here. There is no clock either: who asked and has waited
 * long enough withdraws, and gets one reply that says what came first.
 *
 * <ul>
 *   <li>{@link io.fiber.runtime.sync.Machine} is what they have in common, {@link io.fiber.runtime.sync.SyncRequest} and
 *       {@link io.fiber.runtime.sync.SyncReply} are what goes in and out, {@link io.fiber.runtime.sync.Operation} and
 *       {@link io.fiber.runtime.sync.Outcome} the words of both
 *   <li>{@link io.fiber.runtime.sync.Party} is who holds, {@link io.fiber.runtime.sync.Ticket} who waits for what
 *   <li>{@link io.fiber.runtime.sync.LockMachine} with its conditions, {@link io.fiber.runtime.sync.SemaphoreMachine},
 *       {@link io.fiber.runtime.sync.EventMachine}, {@link io.fiber.runtime.sync.BarrierMachine},
 *       {@link io.fiber.runtime.sync.QueueMachine}
 * </ul>
 */
@NullMarked
package io.fiber.runtime.sync;

import org.jspecify.annotations.NullMarked;
