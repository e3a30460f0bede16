// SPDX-License-Identifier: Apache-2.0
/**
 * Faults for real processes, to show what a backend, a transport or a program does when they happen. Everything here acts on
 * processes, files and networks of the operating system, and knows nothing of Fiber; Linux is needed.
 *
 * <table class="striped">
 * <caption>What can be made to happen</caption>
 * <thead><tr><th>fault</th><th>by</th></tr></thead>
 * <tbody>
 * <tr><td>a process dies</td><td>{@link io.fiber.tck.fault.Signal#KILL}; again and again, at random:
 * {@link io.fiber.tck.fault.Killer}</td></tr>
 * <tr><td>a process stops and goes on (a debugger, a suspended machine)</td><td>{@link io.fiber.tck.fault.Signal#STOP},
 * {@link io.fiber.tck.fault.Signal#CONTINUE}</td></tr>
 * <tr><td>a process gets little processor time</td><td>{@link io.fiber.tck.fault.Slowdown}</td></tr>
 * </tbody>
 * </table>
 *
 * <p>Each fault that lasts is {@link java.lang.AutoCloseable}, and ends when it is closed.
 */
@NullMarked
package io.fiber.tck.fault;

import org.jspecify.annotations.NullMarked;
