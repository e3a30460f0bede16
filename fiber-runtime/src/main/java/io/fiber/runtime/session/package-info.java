// SPDX-License-Identifier: Apache-2.0
/**
 * The session: what opens it, what it holds, what ends with it. {@link io.fiber.runtime.session.Sessions} puts one
 * together from what was configured and found; {@link io.fiber.runtime.session.Session} is what a program holds;
 * {@link io.fiber.runtime.session.WorkerSpecs} says how a worker's JVM is started,
 * {@link io.fiber.runtime.session.InheritedOptions} which options of this JVM it gets, and
 * {@link io.fiber.runtime.session.ForeignLoader} that it could not find Fiber;
 * {@link io.fiber.runtime.session.NestedSession} is the session of a worker, on the conductor that the worker has.
 */
@NullMarked
package io.fiber.runtime.session;

import org.jspecify.annotations.NullMarked;
