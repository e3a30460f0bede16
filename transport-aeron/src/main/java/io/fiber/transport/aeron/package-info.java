// SPDX-License-Identifier: Apache-2.0
/**
 * The transport "aeron": shared memory between processes of one user on one host, UDP between hosts.
 *
 * <p>{@link io.fiber.transport.aeron.AeronTransportProvider} creates the transport. The first {@code invite()}, or the
 * first {@code dial()} of an address of another host, starts a media driver inside this process ({@code OwnDriver}). A
 * {@code dial()} of an address of this host attaches to the driver of the inviting process ({@code ForeignDriver}). The
 * transport has no thread of its own: {@code doWork()} drives the driver, the clients and the links. {@code StreamPair}
 * and its subclasses create the two streams of a link without blocking, {@code AeronLink} carries the frames, and
 * {@code FrameReader} passes them on without copying. If a process does not call {@code doWork()} for a liveness
 * timeout (see below), its peers consider it dead; its own driver and client do not ({@code OwnDriverClock}).
 *
 * <h2>Directory</h2>
 *
 * The directory is {@code /dev/shm/fiber-<uid>-<session>-<pid>} with mode 0700. If shared memory is too small for
 * {@code maxPeers} links, it has the same name below the directory of the process. Aeron creates its own directory
 * anew, accessible to all, so it is inside, as {@code driver}. All files are written in full when they are created:
 * sparse memory ends the JVM if it is written while the file system is full. A driver takes 9 to 10 MB, and a link of
 * the shortest terms two logs of 200,704 bytes. The next driver that starts removes what killed processes of the
 * same user have left.
 *
 * <h2>Addresses</h2>
 *
 * <pre>
 * aeron:ipc;dir=&lt;path&gt;;inode=&lt;n&gt;;uid=&lt;n&gt;;in=&lt;stream&gt;.&lt;session&gt;;out=&lt;stream&gt;.&lt;session&gt;;term=&lt;bytes&gt;;mtu=&lt;bytes&gt;
 * aeron:udp;host=&lt;name&gt;;data=&lt;port&gt;;control=&lt;port&gt;;in=...;out=...;term=&lt;bytes&gt;;mtu=&lt;bytes&gt;[;use=data]
 * </pre>
 *
 * {@code in} is the direction to the inviting side, {@code out} the direction from it. Stream and session are
 * hexadecimal and random, with 64 bits for each direction. {@code term} and {@code mtu} apply to both directions. A
 * directory is used only if it exists, belongs to the user of this process, has mode 0700 and exactly this inode
 * ({@code DirectoryIdentity}); a link over it is confined. A link for data has longer terms, and what its peer sent
 * stays readable as long as the link is held.
 *
 * <p>A process that has dialled invites on the same medium. It uses the driver to which it is attached, so that two
 * guests of one driver are neighbours, or UDP at the address of this host from which it reached its inviter. A
 * transport may dial its own invitations.
 *
 * <p>Characters that are not plain ASCII are written as {@code %XX}.
 *
 * <h2>Streams</h2>
 *
 * Each direction of a link has an exclusive publication on a stream and a session of its own. In memory the dialling
 * side publishes first: a driver lets only one client publish under a session, so a second one that dials is refused.
 * Over UDP the dialling side subscribes in response mode at the control port and publishes to the data port. The
 * inviting side answers from the control port to the address of the dialling side, so a worker needs no port that
 * others can reach. Both ports are held for the life of the transport. A link ends for good if the peer's stream ends,
 * is closed or has timed out.
 *
 * <p>A frame is at most an eighth of a term less 32 bytes: 8160 bytes with the shortest terms, which links over UDP have.
 * In memory, a frame of a conversation is sent in one piece, and so is one of 8160 bytes over loopback (MTU 8192).
 * Between hosts, the pieces have 1408 bytes.
 *
 * <h2>Unknown packets</h2>
 *
 * Aeron does not authenticate. {@code GuardedReceiveEndpoint} and {@code GuardedSendEndpoint} ask {@code StreamGuard}
 * about every packet before the driver sees it. The stream and session must be expected, the term length and MTU those
 * of the address, the source that which set up the stream, and all lengths must be within the packet. Counters show
 * what was rejected ({@code refused-setups}, {@code refused-data}, {@code refused-control}). An attacker who knows an
 * address that has not been dialled yet can still dial it, but then fails in the runtime's handshake.
 *
 * <h2>Timeouts</h2>
 *
 * All timeouts are derived from the lease L, so that the lease decides which peer is dead.
 *
 * <table>
 * <caption>Timeouts and how they are derived</caption>
 * <tr><th>What</th><th>Value</th><th>For L = 20 s</th></tr>
 * <tr><td>driver, client liveness, client's inter-service, image liveness, publication connection</td> <td>2 L, at
 * least 4 s</td><td>40 s</td></tr>
 * <tr><td>publication unblock, which Aeron requires to be above the client's liveness</td><td>3 L</td><td>60
 * s</td></tr>
 * <tr><td>skipping a command that a killed process did not finish</td><td>2 s</td><td>2 s</td></tr>
 * <tr><td>closing a dialled link that is not answered</td><td>2 L</td><td>40 s</td></tr>
 * <tr><td>closing a link whose peer has closed it, while frames that have arrived are not read</td><td>1 s</td><td>1
 * s</td></tr>
 * <tr><td>telling a peer that a link has ended: in memory in the next cycle, over UDP by the next heartbeat</td>
 * <td>100 ms</td><td>100 ms</td></tr>
 * <tr><td>status messages; the first answer over UDP waits for one</td><td>100 ms</td><td>100 ms</td></tr>
 * </table>
 */
@NullMarked
package io.fiber.transport.aeron;

import org.jspecify.annotations.NullMarked;
