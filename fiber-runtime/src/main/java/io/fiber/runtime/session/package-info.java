// SPDX-License-Identifier: Apache-2.0
/**
 * The session: the composition root of a process, which opens, wires and closes everything else.
 *
 * <p>Row 6; it uses every row below. Only {@code worker.main} is above it.
 *
 * <p>The way of an open: {@link RuntimeEngine} is what {@link io.fiber.Fiber} finds by {@link java.util.ServiceLoader}.
 * Its {@link SessionBuilder} collects what the program sets; the engine then discovers providers, reads the settings
 * and selects one of each kind. {@link SessionAssembly} creates the backend, the transport, the conductor, the
 * supervisor, the router, the codecs and the servers of nested jobs and look-ups, and enters each into the teardown, so
 * that a part that fails undoes those before it. The result is the {@link Session} that the program holds; pools, rings,
 * processes and managers come from it ({@link SessionPoolBuilder}, {@link SessionJobBuilder}).
 *
 * <p>How a worker's JVM is started is the {@link JobSpecs} of the session: {@link WorkerSpecs}, with the options of
 * this JVM that {@link InheritedOptions} selects, and what {@link WorkerOptions} leaves of Fiber's own beside the
 * user's; {@link ForeignLoader} finds out when workers would not find Fiber.
 * {@link ProcessPlace} tells the first process of a program from a worker: {@link NestedSession} is the session of a
 * worker, on the conductor and the link that it has. {@link ExitNotice} says in one line what a program waited for when
 * it was ended.
 */
@NullMarked
package io.fiber.runtime.session;

import org.jspecify.annotations.NullMarked;
