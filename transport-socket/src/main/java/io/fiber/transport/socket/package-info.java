// SPDX-License-Identifier: Apache-2.0
/**
 * The transport "socket": Unix domain sockets between processes of one user on one host, TCP between hosts.
 *
 * <p>{@link io.fiber.transport.socket.SocketTransportProvider} makes the transport. The first {@code invite()} listens at one
 * socket file or one TCP port ({@code ListeningSocket}); {@code dial()} connects to one ({@code Dial}). There is no thread in
 * here: {@code doWork()} accepts, connects and ends connections, while the frames of a link ({@code SocketLink}) are written
 * to its socket by {@code offer} and read from it by {@code poll}, in whichever thread calls them.
 *
 * <h2>Addresses</h2>
 *
 * <pre>
 * socket:unix;path=&lt;file&gt;;token=&lt;32 hexadecimal digits&gt;[;use=data]
 * socket:tcp;host=&lt;name&gt;;port=&lt;port&gt;;token=&lt;32 hexadecimal digits&gt;[;use=data]
 * </pre>
 *
 * The token is random and names one invitation. What is no plain ASCII in a path or a name is written as {@code %XX}.
 *
 * <h2>Which process reaches which</h2>
 *
 * A socket file lies in a directory of its own with mode 0700, below the one of the process. Both ends ask the kernel of which
 * user the other process is ({@code SO_PEERCRED}), and the dialling end looks at owner and mode of the directory before
 * ({@code SocketDirectory}). So a link over a socket file is confined, and one over TCP never is.
 *
 * <p>A process that has dialled invites as it came: at a socket file of its own in the directory of its inviter, which removes
 * what is left there, or at a port of the address from which it reached its inviter.
 *
 * <h2>On the wire</h2>
 *
 * The dialling side sends 21 bytes ({@code Greeting}): a word, a version and the token. The inviting side answers with one
 * byte. From then on each side sends frames, each behind its length in 4 bytes, big endian. Every link has a connection of its
 * own, so that data does not stand in the way of a conversation.
 *
 * <p>A side that closes its link sends what it has accepted, then ends its direction, and reads what still comes until the
 * other side does the same: for a second, or over a link for data for as long as the other side reads.
 *
 * <h2>Memory</h2>
 *
 * A link has buffers for three frames, of 16 KiB each in a conversation and of 128 KiB for data. What a socket does not take is
 * refused, but for the rest of one frame.
 *
 * <h2>Strangers</h2>
 *
 * A connection has 5 seconds to name an open invitation, and 21 bytes of memory until then; when more than 128 have not, the
 * oldest is cut ({@code Arrivals}). A length that no frame of the link has closes the link. Counters tell what was refused. A
 * process that knows an address which was not dialled yet can still dial it, and then fails in the handshake of the runtime.
 *
 * <h2>Time-outs</h2>
 *
 * A dialled link that is not answered tries again, and closes after twice the lease, at least 4 seconds; a connection over TCP
 * on which nothing comes for as long is probed by the kernel and breaks 15 seconds later. All are above the lease, which decides.
 */
@NullMarked
package io.fiber.transport.socket;

import org.jspecify.annotations.NullMarked;
