// SPDX-License-Identifier: Apache-2.0
/**
 * The session: the composition root of a process, which opens, connects and closes everything else.
 *
 * <p>Row 6; it uses every row below. Only {@code worker.main} is above it.
 *
 * <p>The way of an open: {@link io.fiber.Fiber} finds {@link RuntimeEngine} with {@link java.util.ServiceLoader}. Its
 * {@link SessionBuilder} collects what the program sets. The engine then discovers providers, reads the settings and
 * selects one provider of each kind. {@link SessionAssembly} creates the backend, the transport, the conductor, the
 * supervisor, the router, the codecs and the servers of nested jobs and look-ups. It enters each into the teardown, so
 * that a part that fails undoes those before it. The result is the {@link Session} that the program holds, which
 * creates pools, rings, processes and managers ({@link SessionPoolBuilder}, {@link SessionJobBuilder}).
 *
 * <p>The {@link JobSpecs} of a session say how a worker's JVM is started: {@link WorkerSpecs}, with the options of this
 * JVM that {@link InheritedOptions} selects, and those of Fiber's own that {@link WorkerOptions} leaves beside the
 * user's. {@link ForeignLoader} detects that workers would not find Fiber. {@link ProcessPlace} distinguishes the first
 * process of a program from a worker: {@link NestedSession} is the session of a worker, on its conductor and link.
 * {@link ExitNotice} says in one line what a program was waiting for when it was ended.
 */
@NullMarked
package io.fiber.runtime.session;

import org.jspecify.annotations.NullMarked;
