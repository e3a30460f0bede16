// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.transport;

import java.nio.channels.Selector;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Carries frames between this process and others.
 *
 * <p>All methods belong to one thread at a time, the conductor; none blocks longer than the making of a few files takes.
 * {@link #counters} and {@link #removeRemains} may be called by any thread.
 */
public interface Transport extends AutoCloseable {

    /**
     * Reserves a link for one peer that will dial. The first peer that dials its address gets it; no later one does.
     *
     * <p>A transport that has dialled may invite as well: then every process that can reach the one that it has dialled
     * can reach it, over the same medium. A peer may be in the same process, and even be the same transport.
     *
     * @param use what the link is for
     * @throws TransportException when the transport cannot listen: no free port in the range, no room in shared memory.
     *     Links that exist are not harmed
     * @implSpec TRN-101 to TRN-109
     */
    Link invite(LinkUse use);

    /** Invites for a {@linkplain LinkUse#CONVERSATION conversation}. */
    default Link invite() {
        return invite(LinkUse.CONVERSATION);
    }

    /**
     * Connects to a peer that invited. Returns at once with a link that is still {@link LinkState#CONNECTING}.
     *
     * @throws TransportException when the address cannot be used from here: the wrong transport, a directory of another
     *     user. The text says what was expected
     * @implSpec TRN-110 to TRN-113
     */
    Link dial(Address address);

    /**
     * Listens for programs that know nothing of this one but a host and a port: each that dials
     * {@link TransportProvider#listeningAddress} gets a link of its own. Called once at most, and before any
     * {@link #invite}. Any stranger gets a link here: the runtime closes those whose peers do not show a key in time, and
     * the oldest of them when they are many.
     *
     * @param port where to listen, on the bind address of {@link TransportContext#callerHost}; 0 for a free one
     * @param newcomers takes each link, in the thread that drives this transport
     * @return the port
     * @throws TransportException when the transport cannot listen there
     * @throws UnsupportedOperationException when the provider has no {@link TransportProvider#listeningAddress}
     * @implSpec TRN-114
     */
    default int listen(int port, Consumer<Link> newcomers) {
        throw new UnsupportedOperationException("This transport has no address that a program could be told.");
    }

    /**
     * Does what is due: drives I/O, time-outs and the states of links.
     *
     * @return above 0 when something was done; 0 lets the caller become idle
     * @implSpec Allocates nothing when nothing happened. (TRN-501)
     */
    int doWork();

    /**
     * Registers the channels by which the transport learns that there is something to do, those that it has and those that
     * it will have, so that a thread can wait for all of them at once instead of looking again and again. One becomes ready
     * when {@link #doWork} or a poll of a {@linkplain LinkUse#CONVERSATION conversation} would find something, when such a
     * link takes frames again after it refused one, and when what a link has accepted can go on its way. Frames of a link for
     * data are their receiver's business. Called once at most, by the thread that drives this transport.
     *
     * <p>Channels that became ready must not stay so when they were attended to. Any thread that adds a channel, or what one
     * is watched for, wakes the selector up. Time limits need no channel: the transport is driven twenty times a lease or
     * more often. The selector is the runtime's; when that has closed it, the transport goes on as if none had been given.
     *
     * @return false when something may come of which no channel tells, as by shared memory; then nothing is registered
     * @implSpec Registers nothing and returns false by default. (TRN-701 to TRN-706)
     */
    default boolean registerWith(Selector selector) {
        return false;
    }

    /**
     * Returns what the transport has counted, by names of its own: refused sessions, rejected bytes, losses. Each grows
     * only.
     */
    Map<String, Long> counters();

    /**
     * Removes the files that peers which were invited from here have left on this host, as far as their processes are known
     * to be gone. Called when a peer's process has ended, however it did. Blocks as long as files take to be removed.
     *
     * @implSpec Does nothing: peers leave no files, or not where this process could remove them.
     */
    default void removeRemains() {}

    /**
     * Closes all links and frees everything. Frames that were accepted and not yet read by the peer may be lost. A second
     * call does nothing. Takes at most a second.
     *
     * @implSpec Leaves no thread, file, mapping or socket. (TRN-601, TRN-606)
     */
    @Override
    void close();
}
