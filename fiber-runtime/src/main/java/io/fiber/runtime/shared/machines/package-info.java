// SPDX-License-Identifier: Apache-2.0
/**
 * Synchronizers and queues as state machines: they take calls and the ends of processes, and reply.
 *
 * <p>They have no thread, clock, socket or codec, and read no item; the simulation drives them. A machine lives on the
 * conductor of the process that made its object. Whatever waits is an entry in the machine and uses no thread there.
 *
 * <p>The way of a call: {@link Machine} turns the message into a {@link SyncCall}, which is a {@link SyncRequest} of a
 * {@link Party}. The machine replies with an {@link Outcome}, which travels as a {@link SyncReply}, or keeps the call
 * until a later one lets it reply. {@link LinedMachine} has a line of waiting calls for each {@link Operation} and is the
 * base of queue, semaphore and event. If a process ends, a machine takes back what the process held.
 *
 * <p>To change who gets a lock next, open {@link LockMachine}; when a queue is full, which item is next, or when it
 * returns, {@link QueueMachine}; in which order calls wait, {@link LinedMachine}; the form on the wire, {@link SyncRequest}
 * and {@link SyncReply}. A new operation is the last one of {@link Operation}.
 */
@NullMarked
package io.fiber.runtime.shared.machines;

import org.jspecify.annotations.NullMarked;
