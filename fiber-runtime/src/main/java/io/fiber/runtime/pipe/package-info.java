// SPDX-License-Identifier: Apache-2.0
/**
 * Pipes: streams of messages between two processes, without a conductor in their path.
 *
 * <p>Row 4; it uses the rows below and no other package of its row.
 *
 * <p>The way of a link: {@link Pipes} creates a pipe and hosts its {@link PipeRendezvous}. Each {@link PipeEnd} is sent
 * as a {@link PipeHandle} and becomes an {@link Endpoint} in the only process that uses it. An endpoint reports to the
 * rendezvous when it is first used. The rendezvous tells the first one to invite and passes the invitation on to the
 * second one, which dials ({@link io.fiber.runtime.channel.DirectLinks}). Later it tells each end when the other has
 * closed or died.
 *
 * <pre>
 * UNUSED ─used─► JOINING ─both ends there, proven─► LINKED
 *                JOINING ─other end closed or dead, or they cannot meet─► OVER
 *              any stage ─closed here, or its session closes─► OVER
 * </pre>
 *
 * <p>The way of a message: the program's thread passes it to the {@link PipeSender}, which serializes it into its
 * backlog as a {@link PipeMessage} and writes its parts into the link. The receiving thread polls the link in the
 * {@link PipeReceiver}, joins the parts and reads the message. {@link RawPipeEnd} is an end whose user splits and joins
 * messages itself; rings use it.
 *
 * <p>The way of a close: the endpoint tells the rendezvous. The conductor sends what the backlog still has and a last
 * part, {@link io.fiber.runtime.channel.PartKind#END}. Without a link, the rendezvous keeps the backlog for the other
 * end.
 */
@NullMarked
package io.fiber.runtime.pipe;

import org.jspecify.annotations.NullMarked;
