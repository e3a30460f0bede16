// SPDX-License-Identifier: Apache-2.0
/**
 * Calls between any two processes of a program: an object lives in one process, and the others call it by its address.
 *
 * <p>Row 3; it uses {@code eventloop}, {@code protocol}, {@code security} and {@code serialization}, and {@code
 * logging} and {@code platform} of row 0.
 *
 * <p>The way of a call: a process gets an {@link ObjectAddress} in a handle, which {@link ProcessContext#current} binds
 * to the process that deserializes it. The caller's thread passes a {@link Request} to its {@link RpcRouter}, by {@code
 * call} with a listener or by {@code await}. In the conductor, the router records the call and creates an {@link
 * RpcMessage}. The message goes down to a worker (through the {@link OutboundQueue} that {@link ChildRoutes} has for
 * it) or up to the master. Each router in between passes it on unread, and seals it again at the border of a session.
 * In the process that hosts the object, {@link LocalDispatcher} passes it to the {@link Hosted} object as a {@link
 * ServiceCall}, in the conductor. The object answers at once or later, from any thread by a command. The reply takes
 * the same way back and ends the open call as exactly one {@link Reply}.
 *
 * <p>When a process ends, its parent's router sends an {@link RpcMessage} about this to each process that has exchanged
 * messages with it. Open calls to it end as {@link Reply.Lost}, with a {@link Reply.Reason}, and hosts drop what it
 * waited for. {@link CompletionHooks} runs actions when a thread is done with what it took from an object. {@link
 * UsageService} reports what each process uses of its host. {@link UnderWay} keeps a program alive until its calls have
 * ended.
 */
@NullMarked
package io.fiber.runtime.rpc;

import org.jspecify.annotations.NullMarked;
