// SPDX-License-Identifier: Apache-2.0
/**
 * The one I/O thread of a process. {@link io.fiber.runtime.conductor.Conductor} drives the transport, the
 * {@link io.fiber.runtime.conductor.Peer}s and the {@link io.fiber.runtime.conductor.Duty duties} of a process, cycle by
 * cycle; all protocol state belongs to it, so there is no lock in it. Other threads reach it by commands. No user code and
 * no serialization ever runs here.
 */
@NullMarked
package io.fiber.runtime.conductor;

import org.jspecify.annotations.NullMarked;
