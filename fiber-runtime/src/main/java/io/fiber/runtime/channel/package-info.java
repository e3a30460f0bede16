// SPDX-License-Identifier: Apache-2.0
/**
 * Direct links between two processes of a program, for messages that must not pass through the master.
 *
 * <p>Row 2; it uses {@code eventloop}, {@code protocol} and {@code security}.
 *
 * <p>The way of a link: one process calls {@link DirectLinks#invite} and gets a {@link LinkInvitation}, an address and
 * a key for one use, which the caller sends to the other process by {@code rpc}. The other process calls {@link
 * DirectLinks#dial}. Each side runs a {@link LinkHandshake}, the inviting one as the master and the dialling one as the
 * worker; it is the same handshake that admits workers. The result at both ends is a {@link DirectLink}, which from
 * then on belongs to the threads of its user.
 *
 * <p>The way of a message over it: the sending thread puts the message part by part, each of a {@link PartKind} and one
 * a frame, sealed unless the link is confined to this host. The receiving thread polls the link, which checks each
 * frame and passes on its content. {@link LinkWait} decides how a thread waits for the other end. The conductor only
 * drives the transport.
 */
@NullMarked
package io.fiber.runtime.channel;

import org.jspecify.annotations.NullMarked;
