// SPDX-License-Identifier: Apache-2.0
/**
 * What runs in the process of a manager: its objects that hold values, and the threads that run calls on them.
 *
 * <p>{@link ManagerProgram} is that process's program. It opens a {@link Host}, reports that it is ready, and serves until
 * it is told to end. The {@link Registry} makes an object of each {@link Kind}: a machine of {@code shared.machines}, or an
 * {@link ObjectHost} with a {@link Target}, for example {@link MapTarget}.
 *
 * <p>The way of a call to a value: the conductor adds it to the queue of its {@link ObjectHost}, which runs calls in order,
 * one at a time, on a thread of the {@link Host}, against the {@link Target}. The result goes back through the conductor.
 *
 * <p>To change what an operation does, open the object's {@link Target}; which thread runs a call, {@link Host}; the form
 * of a call on the wire, {@link ObjectOperation}.
 */
@NullMarked
package io.fiber.runtime.shared.host;

import org.jspecify.annotations.NullMarked;
