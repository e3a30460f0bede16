// SPDX-License-Identifier: Apache-2.0
/**
 * The transport "aeron": shared memory between processes of one user on one host, UDP between hosts.
 *
 * <p>{@link io.fiber.transport.aeron.AeronTransportProvider} makes the transport. The first {@code invite()}, or the first
 * {@code dial()} of an address of another host, starts a media driver inside this process ({@code OwnDriver}); a
 * {@code dial()} of an address of this host attaches to the driver of the inviting process ({@code ForeignDriver}). There
 * is no thread in here: {@code doWork()} drives driver, clients and links. {@code StreamPair} and its subclasses
 * make the two streams of a link without blocking, {@code AeronLink} carries the frames, {@code FrameReader} hands them
 * over where they lie. Peers take a process that does not call {@code doWork()} for a liveness time-out, see below, for
 * dead; its own driver and client do not ({@code OwnDriverClock}).
 *
 * <h2>Directory</h2>
 *
 * {@code /dev/shm/fiber-<uid>-<session>-<pid>}, mode 0700, or the same name below the directory of the process where
 * shared memory has too little room for {@code maxPeers} links. Aeron makes its own directory anew, open to all, so it
 * lies inside, as {@code driver}. All files are written in full when they are made: memory with holes ends the JVM when
 * it is touched while the file system is full. A driver takes 9 to 10 MB, and a link of the default term length two logs of
 * 200,704 bytes. What killed processes of the same user left behind is removed by the next driver that starts.
 *
 * <h2>Addresses</h2>
 *
 * <pre>
 * aeron:ipc;dir=&lt;path&gt;;inode=&lt;n&gt;;uid=&lt;n&gt;;in=&lt;stream&gt;.&lt;session&gt;;out=&lt;stream&gt;.&lt;session&gt;;term=&lt;bytes&gt;;mtu=&lt;bytes&gt;
 * aeron:udp;host=&lt;name&gt;;data=&lt;port&gt;;control=&lt;port&gt;;in=...;out=...;term=&lt;bytes&gt;;mtu=&lt;bytes&gt;[;use=data]
 * </pre>
 *
 * {@code in} is the direction to the inviting side, {@code out} from it; stream and session are hexadecimal and random,
 * 64 bits for each direction. {@code term} and {@code mtu} hold for both directions. A directory is used only when it
 * exists, is owned by the user of this process, has mode 0700 and that very inode ({@code DirectoryIdentity}); a link over
 * it is confined. A link for data has longer terms, and what its peer sent is readable for as long as it is held.
 *
 * <p>A process that has dialled invites as it came: through the driver that it attached to, which makes two guests of one
 * driver neighbours, or over UDP at the address of this host from which it reached its inviter. A transport may dial what
 * it has invited itself.
 *
 * <p>Bytes that are no plain ASCII are written as {@code %XX}.
 *
 * <h2>Streams</h2>
 *
 * Each link and direction has an exclusive publication on a stream and a session of its own. In memory the dialling side
 * publishes first: a driver lets one client publish under a session, so a second one that dials is refused. Over UDP the
 * dialling side subscribes in response mode at the control port and publishes to the data port; the inviting side answers
 * on the control port to wherever that came from, so a worker needs no port that can be reached. Both ports are held for
 * as long as the transport lives. A link ends for good when the peer's stream ends, is closed or has timed out.
 *
 * <p>A frame is at most an eighth of a term less 32 bytes: 8160 bytes by default. It travels in one piece in memory and
 * over loopback (MTU 8192), and in pieces of 1408 bytes between hosts.
 *
 * <h2>Strangers</h2>
 *
 * Aeron does not authenticate. {@code GuardedReceiveEndpoint} and {@code GuardedSendEndpoint} ask {@code StreamGuard}
 * about every packet before the driver sees it: stream and session must be expected, term length and MTU those of the
 * address, the source that which set the stream up, and all lengths inside a packet must fit. What is refused is
 * counted ({@code refused-setups}, {@code refused-data}, {@code refused-control}). An attacker that knows an address
 * which was not dialled yet can still dial it, and then fails in the handshake of the runtime.
 *
 * <h2>Time-outs</h2>
 *
 * All come from the lease L, so that the lease decides about life and death.
 *
 * <table>
 * <caption>Time-outs and where they come from</caption>
 * <tr><th>What</th><th>Value</th><th>For L = 20 s</th></tr>
 * <tr><td>driver, client liveness, client's inter-service, image liveness, publication connection</td>
 *     <td>2 L, at least 4 s</td><td>40 s</td></tr>
 * <tr><td>publication unblock, which Aeron wants above the client's liveness</td><td>3 L</td><td>60 s</td></tr>
 * <tr><td>a command that a killed process did not finish is skipped after</td><td>2 s</td><td>2 s</td></tr>
 * <tr><td>a dialled link that is not answered closes after</td><td>2 L</td><td>40 s</td></tr>
 * <tr><td>frames that arrived and are not read keep a link whose peer closed it open for</td><td>1 s</td><td>1 s</td></tr>
 * <tr><td>the end of a link is told to the peer: in memory in the next cycle, over UDP by the next heartbeat</td>
 *     <td>100 ms</td><td>100 ms</td></tr>
 * <tr><td>status messages; the first answer over UDP waits for one</td><td>100 ms</td><td>100 ms</td></tr>
 * </table>
 */
@NullMarked
package io.fiber.transport.aeron;

import org.jspecify.annotations.NullMarked;
