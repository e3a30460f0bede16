// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.transport;

import java.nio.channels.Selector;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Carries frames between this process and others.
 *
 * <p>No method blocks for longer than it takes to create a few files. Only one thread at a time may use a transport,
 * the conductor; {@link #counters} and {@link #removeRemains} may be called by any thread.
 */
public interface Transport extends AutoCloseable {

    /**
     * Reserves a link for one peer that will dial. The first peer that dials its address gets the link; later ones do
     * not.
     *
     * <p>A transport that has dialled may invite as well. Every process that can reach the process that it dialled can
     * then reach it over the same medium. A peer may be in the same process, and may even be the same transport.
     *
     * @param use the purpose of the link
     * @throws TransportException if the transport cannot listen: no free port in the range, no room in shared memory.
     *     Existing links are not affected
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
     * @throws TransportException if the address cannot be used from here: it belongs to another transport, or to a
     *     directory of another user. The message says what was expected
     * @implSpec TRN-110 to TRN-113
     */
    Link dial(Address address);

    /**
     * Listens for programs that know only a host and a port of this one. Each program that dials {@link
     * TransportProvider#listeningAddress} gets a link of its own. Call it at most once, and before any {@link #invite}.
     * Any stranger gets a link here: the runtime closes links whose peers do not show a key in time, and the oldest of
     * them if there are many.
     *
     * @param port the port to listen at, on the bind address of {@link TransportContext#callerHost}; 0 for a free one
     * @param newcomers receives each link, in the thread that drives this transport
     * @return the port
     * @throws TransportException if the transport cannot listen there
     * @throws UnsupportedOperationException if the provider has no {@link TransportProvider#listeningAddress}
     * @implSpec TRN-114
     */
    default int listen(int port, Consumer<Link> newcomers) {
        throw new UnsupportedOperationException("This transport has no address to which programs can connect.");
    }

    /**
     * Does what is due: drives I/O, timeouts and the states of links.
     *
     * @return greater than 0 if something was done; 0 lets the caller become idle
     * @implSpec Allocates nothing if nothing happened. (TRN-501)
     */
    int doWork();

    /**
     * Registers the channels that signal that there is something to do, both existing and future ones, so that a thread
     * can wait for all of them instead of polling. The attachment of a key says what to do when it is ready. If it is a
     * {@link Link} of this transport, the link has something to poll, or accepts frames again after it rejected one.
     * Anything else asks for {@link #doWork}, which may change the states of links. So a runtime polls the links that are
     * ready and no others. Call it at most once, in the thread that drives this transport.
     *
     * <p>A channel is ready as long as there is something to do, except for frames that a poll has left because of its
     * limit. It must not stay ready after it was served. A {@linkplain LinkUse#DATA link for data} signals its frames
     * until {@link Link#unwatch}, and never that it accepts frames again. A thread that adds a channel, or changes what
     * one waits for, wakes up the selector. Time limits need no channel, because the transport is driven at least twenty
     * times in a lease. The selector belongs to the runtime. After the runtime has closed it, the transport continues as
     * if it had never received one.
     *
     * @return false if something may arrive that no channel signals, for example through shared memory; then nothing is
     *     registered
     * @implSpec Registers nothing and returns false by default. (TRN-701 to TRN-706)
     */
    default boolean registerWith(Selector selector) {
        return false;
    }

    /**
     * Returns the transport's counters, under names of its own: rejected sessions, rejected bytes, losses. They never
     * decrease.
     */
    Map<String, Long> counters();

    /**
     * Removes the files that peers invited from here have left on this host, as far as their processes are known to
     * have ended. The runtime calls it whenever a peer's process has ended. Blocks while files are removed.
     *
     * @implSpec Does nothing by default, because peers leave no files, or not where this process could remove them.
     */
    default void removeRemains() {}

    /**
     * Closes all links and frees everything. Accepted frames that the peer has not read may be lost. Takes at most a
     * second. Idempotent.
     *
     * @implSpec Leaves no thread, file, mapping or socket. (TRN-601, TRN-606)
     */
    @Override
    void close();
}
