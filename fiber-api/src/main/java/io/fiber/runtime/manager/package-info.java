// SPDX-License-Identifier: Apache-2.0
/**
 * Managers: processes that host objects, and the handles by which other processes call them.
 *
 * <ul>
 *   <li>The start: {@link io.fiber.runtime.manager.Managers} starts a process that runs a
 *       {@link io.fiber.runtime.manager.ManagerProgram}; {@link io.fiber.runtime.manager.ManagerClient} and
 *       {@link io.fiber.runtime.manager.AsyncManagerClient} are what the program that asked holds
 *   <li>Another program: {@link io.fiber.runtime.manager.ConnectedManagers} connects it; what it shares with the client of the
 *       program that asked is {@code ObjectsClient}. How it is let in is {@link io.fiber.runtime.guest}
 *   <li>At the host: {@code ObjectHost} runs the calls of one object one after the other on a pool of threads, for what
 *       holds deserialized values or the program's own objects ({@code Target}); {@code SyncHost} passes requests to the
 *       machines of {@link io.fiber.runtime.sync} on the conductor. {@code Registry} makes both
 *   <li>At the caller: {@code Remote} is one object's address in this process; the {@code …Proxy} classes are what programs
 *       hold; {@code Handle} is what travels
 * </ul>
 */
@NullMarked
package io.fiber.runtime.manager;

import org.jspecify.annotations.NullMarked;
