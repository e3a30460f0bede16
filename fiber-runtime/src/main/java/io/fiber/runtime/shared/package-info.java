// SPDX-License-Identifier: Apache-2.0
/**
 * Objects that processes share, as a program holds them: proxies of values, queues, locks and other synchronizers.
 *
 * <p>Row 5. Imports go {@code shared.managers} → {@code shared} → {@code shared.host} → {@code shared.machines}, and no
 * package of another name in this row is imported.
 *
 * <p>How a reader of a queue waits: {@link QueueProxy#take} asks through {@link SyncProxy}, which sends a {@link
 * io.fiber.runtime.shared.machines.SyncRequest} and parks the thread. The {@link
 * io.fiber.runtime.shared.machines.QueueMachine} of the process that holds the queue answers with a {@link
 * io.fiber.runtime.shared.machines.SyncReply}, now or when an item comes.
 *
 * <p>How a value is changed: {@link MapProxy}, for example, calls its {@link RemoteObject}, which sends an {@link
 * io.fiber.runtime.shared.host.ObjectOperation} with arguments and waits for the result of the target in the manager's
 * process.
 *
 * <p>To change what a program sees of an object, open its proxy; when a queue keeps what a reader took, {@link QueueProxy};
 * how an object is made or found, {@link ObjectsClient}; how a proxy travels, {@link ObjectHandle}; what a caller may do
 * with a copy of a held collection, {@link HeldCopy}; calls that answer with futures, {@link RemoteFuture}.
 */
@NullMarked
package io.fiber.runtime.shared;

import org.jspecify.annotations.NullMarked;
