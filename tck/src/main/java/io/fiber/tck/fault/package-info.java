// SPDX-License-Identifier: Apache-2.0
/**
 * Faults for real processes, to show what a backend, a transport or a program does when they happen. Everything here acts on
 * processes, files and networks of the operating system, and knows of Fiber at most its contracts; Linux is needed.
 *
 * <table class="striped">
 * <caption>What can be made to happen</caption>
 * <thead><tr><th>fault</th><th>by</th></tr></thead>
 * <tbody>
 * <tr><td>a process dies</td><td>{@link io.fiber.tck.fault.Signal#KILL}; again and again, at random:
 * {@link io.fiber.tck.fault.Killer}</td></tr>
 * <tr><td>a thread of this process is interrupted in a wait</td><td>{@link io.fiber.tck.fault.Interrupt}</td></tr>
 * <tr><td>a process stops and goes on (a debugger)</td><td>{@link io.fiber.tck.fault.Signal#STOP},
 * {@link io.fiber.tck.fault.Signal#CONTINUE}</td></tr>
 * <tr><td>a process gets little processor time</td><td>{@link io.fiber.tck.fault.Slowdown}</td></tr>
 * <tr><td>a disk or shared memory is small, or full</td><td>{@link io.fiber.tck.fault.SmallDisk} in a {@link
 * io.fiber.tck.fault.Sandbox}</td></tr>
 * <tr><td>the wall clock is set (by a person, by NTP, when a machine wakes up)</td><td>{@link
 * io.fiber.tck.fault.WallClock}</td></tr>
 * <tr><td>a host is cut off from the network</td><td>{@link io.fiber.tck.fault.PrivateNetwork} in a
 * {@link io.fiber.tck.fault.Sandbox}, with jobs put on its hosts by {@link io.fiber.tck.fault.SpreadBackend}</td></tr>
 * <tr><td>a platform does not reach a job that it shall end</td><td>{@link io.fiber.tck.fault.UnreachableJobs}</td></tr>
 * </tbody>
 * </table>
 *
 * <p>Each fault that lasts is {@link java.lang.AutoCloseable}, and ends when it is closed.
 */
@NullMarked
package io.fiber.tck.fault;

import org.jspecify.annotations.NullMarked;
