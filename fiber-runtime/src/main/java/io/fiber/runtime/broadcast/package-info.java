// SPDX-License-Identifier: Apache-2.0
/**
 * Values that are sent once to each host, however many workers and tasks read them.
 *
 * <p>Row 5; it uses the rows below and no other package of its row.
 *
 * <p>The way of a value: {@link BroadcastRegister#add}, in the process that has it, writes the value in a {@link Form}
 * into a {@link ValueFile} of the session's directory, under a {@link ValueId} with the hash of its bytes, and returns
 * a {@link BroadcastHandle}. Only the id travels with the handle. In a worker the handle asks the {@link ValueSource}
 * of its process, the {@link BroadcastCache}, which asks the master by a {@link io.fiber.runtime.process.LookupClient}
 * where the value is. The register answers, as a {@link io.fiber.runtime.process.LookupHandler}: on the same host with
 * the name of the file, else with parts of its bytes, of which one worker makes the {@link SharedCopy} of its host. The
 * cache maps the file and reads the value in the thread that asked. With its question it names what it has, and it lets
 * go of what the answer says was closed. A worker that is a master itself answers its own workers by its register, which
 * asks its cache.
 */
@NullMarked
package io.fiber.runtime.broadcast;

import org.jspecify.annotations.NullMarked;
