// SPDX-License-Identifier: Apache-2.0
/**
 * Faults for real processes, which show how a backend, a transport or a program handles them. Everything here acts on
 * processes, files and networks of the operating system, and knows at most Fiber's contracts. Needs Linux.
 *
 * <table class="striped">
 * <caption>Faults</caption>
 * <thead><tr><th>fault</th><th>cause</th></tr></thead>
 * <tbody>
 * <tr><td>a process dies</td><td>{@link io.fiber.tck.fault.Signal#KILL}; repeatedly, at random: {@link
 * io.fiber.tck.fault.Killer}</td></tr>
 * <tr><td>a thread of this process is interrupted while it waits</td><td>{@link io.fiber.tck.fault.Interrupt}</td></tr>
 * <tr><td>a process stops and continues (a debugger)</td><td>{@link io.fiber.tck.fault.Signal#STOP}, {@link
 * io.fiber.tck.fault.Signal#CONTINUE}</td></tr>
 * <tr><td>a process gets little processor time</td><td>{@link io.fiber.tck.fault.Slowdown}</td></tr>
 * <tr><td>a disk or shared memory is small, or full</td><td>{@link io.fiber.tck.fault.SmallDisk} in a {@link
 * io.fiber.tck.fault.Sandbox}</td></tr>
 * <tr><td>the wall clock is set (by a person, by NTP, when a machine wakes up)</td><td>{@link
 * io.fiber.tck.fault.WallClock}</td></tr>
 * <tr><td>a host is disconnected from the network</td><td>{@link io.fiber.tck.fault.PrivateNetwork} in a {@link
 * io.fiber.tck.fault.Sandbox}, with jobs on its hosts by {@link io.fiber.tck.fault.SpreadBackend}</td></tr>
 * <tr><td>a platform cannot reach a job that it is to end</td><td>{@link io.fiber.tck.fault.UnreachableJobs}</td></tr>
 * </tbody>
 * </table>
 *
 * <p>Each lasting fault is {@link java.lang.AutoCloseable}, and ends when it is closed.
 */
@NullMarked
package io.fiber.tck.fault;

import org.jspecify.annotations.NullMarked;
