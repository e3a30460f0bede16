// SPDX-License-Identifier: Apache-2.0
/**
 * The I/O of a process, done by one thread at a time. {@link io.fiber.runtime.eventloop.Conductor} drives the transport,
 * the {@link io.fiber.runtime.eventloop.Peer}s and the {@link io.fiber.runtime.eventloop.Duty duties} of a process, cycle
 * by cycle; protocol state belongs to whoever runs the cycle, so there is no lock in it. Other threads reach it by
 * commands. No user code and no serialization ever runs in a cycle.
 */
@NullMarked
package io.fiber.runtime.eventloop;

import org.jspecify.annotations.NullMarked;
