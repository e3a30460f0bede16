// SPDX-License-Identifier: Apache-2.0
/**
 * Calls between any two processes of a program: an object lives in one process and is called by its address from the
 * others.
 *
 * <p>Row 3; it uses {@code eventloop}, {@code protocol}, {@code security} and {@code serialization}, and
 * {@code logging} and {@code platform} of row 0.
 *
 * <p>The way of a call: a process gets an {@link ObjectAddress} in a handle, which {@link ProcessContext#current} binds
 * to the process that deserializes it. The caller's thread gives a {@link Request} to its {@link RpcRouter}, by {@code
 * call} with a listener or by {@code await}. On the conductor the router notes the call and makes an
 * {@link RpcMessage}. The message goes down to a worker (the {@link OutboundQueue} that {@link ChildRoutes} has for it)
 * or up to the master; each router between passes it on unread, and seals it anew at the border of a session. In the
 * process that hosts the object, {@link LocalDispatcher} hands it to the {@link Hosted} object as a {@link
 * ServiceCall}, on the conductor. The object answers at once or later, from any thread by way of a command. The reply
 * goes back the same way and ends the open call as exactly one {@link Reply}.
 *
 * <p>When a process ends, its parent's router sends an {@link RpcMessage} that says so to each process that has
 * exchanged messages with it: open calls to it end as {@link Reply.Lost}, with a {@link Reply.Reason}, and hosts drop what
 * it waited for. {@link CompletionHooks} says when a thread is done with what it took from an object. Each process says what
 * it uses of its host: {@link UsageService}. {@link UnderWay} keeps a program alive until its calls have ended.
 */
@NullMarked
package io.fiber.runtime.rpc;

import org.jspecify.annotations.NullMarked;
