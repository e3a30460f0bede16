// SPDX-License-Identifier: Apache-2.0
/**
 * Programs that use the objects of a manager of another program.
 *
 * <p>In the manager's program: {@link io.fiber.runtime.shared.RemoteManagerServer} opens a {@code AuthListener}, a TCP port at which a program shows
 * that it holds the key ({@code AuthConnection}), and a {@code ClientRegistry}, which gives each {@code RemoteClient} a link of the session's transport
 * and a place in the tree of processes, as a worker has one; so its letters, and the news that it has gone, need nothing of their own.
 *
 * <p>In the other program: {@code AuthClient} shows the key and gets a {@code AccessGrant}, {@link io.fiber.runtime.shared.RemoteManagerConnection} dials by it and is
 * that program's place, with a conductor of its own; {@code ClientHandshakeHandler} is its end of the link, {@code ClientEnvironment} what it needs of
 * its class path and settings. {@link io.fiber.runtime.shared.EndpointFile} holds address and key.
 */
@NullMarked
package io.fiber.runtime.shared;

import org.jspecify.annotations.NullMarked;
