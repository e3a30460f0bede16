// SPDX-License-Identifier: Apache-2.0
/**
 * Values that are sent once to each host. {@code Form} turns a value into the bytes of a file and back;
 * {@link io.fiber.runtime.broadcast.BroadcastRegister} holds the files of a session and answers workers that ask for one;
 * {@link io.fiber.runtime.broadcast.BroadcastCache} is what a worker has fetched, and {@code SharedCopy} how the workers of
 * another host share one copy. {@code BroadcastHandle} is what a program holds, in whatever process.
 */
@NullMarked
package io.fiber.runtime.broadcast;

import org.jspecify.annotations.NullMarked;
