// SPDX-License-Identifier: Apache-2.0
/**
 * The transport "socket": Unix domain sockets between processes of one user on one host, TCP between hosts.
 *
 * <p>{@link io.fiber.transport.socket.SocketTransportProvider} creates the transport. The first {@code invite()}
 * listens at a socket file or a TCP port ({@code ListeningSocket}), and {@code dial()} connects to one ({@code Dial}).
 * The transport has no thread of its own. {@code doWork()} accepts, establishes and ends connections. Frames of a link
 * ({@code SocketLink}) are written to its socket by {@code offer} and read by {@code poll}, in the thread that calls
 * these methods.
 *
 * <h2>Addresses</h2>
 *
 * <pre>
 * socket:unix;path=&lt;file&gt;;token=&lt;32 hexadecimal digits&gt;[;use=data]
 * socket:tcp;host=&lt;name&gt;;port=&lt;port&gt;;token=&lt;32 hexadecimal digits&gt;[;use=data]
 * </pre>
 *
 * The token is random and identifies one invitation. Characters of a path or a name that are not plain ASCII are
 * written as {@code %XX}.
 *
 * <h2>Access to a process</h2>
 *
 * A socket file is in a directory of its own with mode 0700, below the process's directory. Both ends ask the kernel
 * for the user of the other process ({@code SO_PEERCRED}). Before that, the dialling end checks the owner and the mode
 * of the directory ({@code SocketDirectory}). So a link over a socket file is confined, and a link over TCP never is.
 *
 * <p>A process that has dialled invites on the same medium. It listens at a socket file of its own in the directory of
 * its inviter, which removes what is left there, or at a port of the address from which it reached its inviter.
 *
 * <h2>Wire format</h2>
 *
 * The dialling side sends 21 bytes ({@code Greeting}): a magic word, a version and the token. The inviting side answers
 * with one byte. From then on each side sends frames, each preceded by its length in 4 bytes, big endian. Every link
 * has a connection of its own, so that data does not delay conversations.
 *
 * <p>A side that closes its link sends the frames it has accepted and then ends its direction. It keeps reading until
 * the other side does the same: for a second, or, over a link for data, as long as the other side reads.
 *
 * <h2>Memory</h2>
 *
 * A link has buffers for three frames, of 16 KiB each in a conversation and of 128 KiB for data. If a socket accepts
 * nothing, the frame is rejected; only the rest of a frame that has begun is buffered.
 *
 * <h2>Unknown connections</h2>
 *
 * A connection has 5 seconds to name an open invitation, and 21 bytes of memory until then. If more than 128 have not
 * done so, the oldest is closed ({@code Arrivals}). An invalid frame length closes the link. Counters show what was
 * rejected. A process that knows an address which has not been dialled yet can still dial it, but then fails in the
 * runtime's handshake.
 *
 * <h2>Timeouts</h2>
 *
 * A dialled link that is not answered tries again, and closes after twice the lease, at least 4 seconds. The kernel
 * probes a TCP connection that is silent for that long, and the connection breaks 15 seconds later. All timeouts are
 * above the lease, so that the lease decides.
 */
@NullMarked
package io.fiber.transport.socket;

import org.jspecify.annotations.NullMarked;
