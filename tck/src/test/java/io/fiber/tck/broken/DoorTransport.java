// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.broken;

import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Listens at a port, where only strangers arrive, because frames go through memory. Without a bug it closes their
 * connections after a while.
 */
final class DoorTransport extends PassingTransport {

    private static final int BACKLOG = 200;
    private static final long PATIENCE_NS = Duration.ofMillis(300).toNanos();

    /** A look allocates, which a transport may not do in each cycle. */
    private static final long PAUSE_NS = Duration.ofMillis(10).toNanos();

    private final TransportBug bug;
    private final Map<String, SocketAddress> doors;
    private final List<Guest> guests = new ArrayList<>();
    private @Nullable ServerSocketChannel server;
    private long nextLookNs = System.nanoTime();
    private boolean hasDialled;

    private record Guest(SocketChannel channel, long endNs) {}

    /** Creates a transport that enters the port of each address into a map. */
    DoorTransport(TransportBug bug, Transport real, Map<String, SocketAddress> doors) {
        super(real);
        this.bug = bug;
        this.doors = doors;
    }

    static Optional<SocketAddress> doorOf(Map<String, SocketAddress> doors, Address address) {
        return Optional.ofNullable(doors.get(address.text()));
    }

    @Override
    public Link invite(LinkUse use) {
        Link link = super.invite(use);
        try {
            ServerSocketChannel listening = server;
            if (listening == null) {
                InetAddress loopback = InetAddress.getLoopbackAddress();
                boolean isForAll = bug == TransportBug.BINDS_EVERY_ADDRESS_ONCE_IT_HAS_DIALLED && hasDialled;
                listening = ServerSocketChannel.open();
                listening.configureBlocking(false);
                listening.bind(isForAll ? new InetSocketAddress(0) : new InetSocketAddress(loopback, 0), BACKLOG);
                server = listening;
            }
            doors.put(link.address().text(), listening.getLocalAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return link;
    }

    @Override
    public Link dial(Address address) {
        hasDialled = true;
        return super.dial(address);
    }

    @Override
    public int doWork() {
        try {
            boolean mustWait = bug == TransportBug.STRANGERS_KEEP_PEERS_OUT && !guests.isEmpty();
            boolean isTime = System.nanoTime() - nextLookNs >= 0;
            return (isTime ? admit() : 0) + (mustWait ? 0 : super.doWork());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int admit() throws IOException {
        nextLookNs = System.nanoTime() + PAUSE_NS;
        int work = 0;
        ServerSocketChannel listening = server;
        for (SocketChannel guest = accept(listening); guest != null; guest = accept(listening)) {
            guest.configureBlocking(false);
            guests.add(new Guest(guest, System.nanoTime() + PATIENCE_NS));
            work++;
        }
        for (Iterator<Guest> all = guests.iterator(); all.hasNext(); ) {
            Guest next = all.next();
            if (isOver(next)) {
                next.channel.close();
                all.remove();
                work++;
            }
        }
        return work;
    }

    private static @Nullable SocketChannel accept(@Nullable ServerSocketChannel listening) throws IOException {
        return listening == null ? null : listening.accept();
    }

    private boolean isOver(Guest guest) throws IOException {
        try {
            boolean isPatient = bug == TransportBug.SILENT_STRANGER_IS_KEPT
                    || bug == TransportBug.STRANGERS_KEEP_PEERS_OUT
                    || System.nanoTime() - guest.endNs < 0;
            return guest.channel.read(ByteBuffer.allocate(64)) != 0 || !isPatient;
        } catch (IOException e) {
            if (bug == TransportBug.RESET_OF_A_STRANGER_THROWS) {
                throw e;
            }
            return true;
        }
    }

    @Override
    public void close() {
        super.close();
        try {
            for (Guest guest : guests) {
                guest.channel.close();
            }
            if (server != null) {
                server.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
