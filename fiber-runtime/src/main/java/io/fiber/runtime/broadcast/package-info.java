// SPDX-License-Identifier: Apache-2.0
/**
 * Values that are sent once to each host, however many workers and tasks read them.
 *
 * <p>Row 5; it uses the rows below and no other package of its row.
 *
 * <p>The way of a value: {@link BroadcastRegister#add}, in the process that has the value, writes it in a {@link Form}
 * into a {@link ValueFile} of the session's directory, under a {@link ValueId} with the hash of its bytes, and returns
 * a {@link BroadcastHandle}. Only the id is sent with the handle. In a worker, the handle asks the {@link ValueSource}
 * of its process, the {@link BroadcastCache}. The cache asks the master where the value is, with a {@link
 * io.fiber.runtime.process.LookupClient}. The register answers, as a {@link io.fiber.runtime.process.LookupHandler}. On
 * the same host it returns the name of the file. Otherwise it returns parts of the bytes, from which one worker creates
 * the {@link SharedCopy} of its host. The cache maps the file and reads the value in the asking thread. Its question
 * names the values that it has, and it releases those that the answer reports as closed. A worker that is itself a
 * master answers its own workers with its register, which asks its cache.
 */
@NullMarked
package io.fiber.runtime.broadcast;

import org.jspecify.annotations.NullMarked;
