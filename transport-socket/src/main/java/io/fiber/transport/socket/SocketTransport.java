// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

import io.fiber.spi.CallerHost;
import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.Transport;
import io.fiber.spi.transport.TransportContext;
import io.fiber.spi.transport.TransportException;
import io.fiber.spi.transport.TransportException.Kind;
import io.fiber.transport.socket.LinkAddress.TcpEndpoint;
import io.fiber.transport.socket.LinkAddress.UnixEndpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Links over sockets. One thread drives them with {@link #doWork}; the transport has no thread of its own. */
final class SocketTransport implements Transport {

    /** How long a process that ends waits for sockets to accept the frames that links have accepted. */
    private static final long CLOSE_NS = TimeUnit.MILLISECONDS.toNanos(800);

    /** How many rejected newcomers may have a grace period at the same time. */
    static final int MOST_LEAVING = 64;

    private static final long CLOSE_PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(200);

    private final TransportSettings settings;
    private final LongSupplier clock;
    private final TransportContext context;
    private final TransportCounters counters = new TransportCounters();
    private final Readiness readiness = new Readiness();
    private final List<SocketLink> links = new ArrayList<>();
    private @Nullable SecureRandom random;
    private @Nullable Arrivals arrivals;
    private @Nullable LinkAddress firstDialled;
    private boolean hasWarnedOfRoom;
    private boolean isClosed;

    /** Creates a transport that reads this clock, in nanoseconds. */
    SocketTransport(TransportSettings settings, LongSupplier clock) {
        this.settings = settings;
        this.clock = clock;
        this.context = settings.context();
    }

    @Override
    public Link invite(LinkUse use) {
        requireOpen();
        Arrivals peers = arrivals();
        LinkAddress address = new LinkAddress(peers.socket().endpoint(), newToken(), use);
        SocketLink link = link(address, null);
        peers.expect(address.token(), link);
        return link;
    }

    @Override
    public int listen(int port, Consumer<Link> newcomers) {
        requireOpen();
        if (arrivals != null) {
            throw new IllegalStateException("This transport already listens at "
                    + arrivals.socket().endpoint().inWords() + ".");
        }
        CallerHost host = context.callerHost();
        PortRange ports = port == 0 ? settings.ports() : PortRange.of(port);
        ListeningSocket socket = ListeningSocket.tcp(host.bind(), host.advertised(), ports);
        Arrivals peers = new Arrivals(socket, settings, counters, readiness);
        arrivals = peers;
        int bound = ((TcpEndpoint) socket.endpoint()).port();
        LinkAddress address = LinkAddress.ofNewcomers(host.advertised(), bound);
        peers.welcome(channel -> letIn(channel, address, newcomers));
        return bound;
    }

    private void letIn(SocketChannel channel, LinkAddress address, Consumer<Link> newcomers) {
        endGraceOfOldest();
        try {
            SocketLink link = link(address, null);
            link.connect(channel);
            newcomers.accept(link);
        } catch (TransportException e) {
            Sockets.close(channel);
            if (!hasWarnedOfRoom) {
                hasWarnedOfRoom = true;
                context.listener().onWarning(String.valueOf(e.getMessage()));
            }
        }
    }

    /** Limits the memory for strangers: each link has buffers until it is over, and there may be many strangers. */
    private void endGraceOfOldest() {
        int leaving = 0;
        for (int i = links.size() - 1; i >= 0; i--) {
            SocketLink link = links.get(i);
            if (link.state() == LinkState.CLOSED && ++leaving > MOST_LEAVING) {
                link.disconnect();
            }
        }
    }

    private SocketLink link(LinkAddress address, @Nullable Dial dial) {
        try {
            SocketLink link = new SocketLink(counters, readiness, address, dial);
            links.add(link);
            return link;
        } catch (OutOfMemoryError e) {
            throw new TransportException(
                    Kind.NO_ROOM,
                    "There is no memory for the buffers of another link (" + links.size() + " are open):"
                            + " " + e.getMessage()
                            + ". Raise -XX:MaxDirectMemorySize, whose default is the maximum heap (-Xmx).",
                    e);
        }
    }

    private Arrivals arrivals() {
        Arrivals listening = arrivals;
        if (listening == null) {
            listening = new Arrivals(listen(), settings, counters, readiness);
            arrivals = listening;
        }
        return listening;
    }

    /** A process that has dialled listens on the same medium by which it dialled. */
    private ListeningSocket listen() {
        LinkAddress inviter = firstDialled;
        if (inviter != null && inviter.endpoint() instanceof UnixEndpoint unix) {
            return ListeningSocket.inAnothers(directoryOf(unix), newToken());
        }
        if (inviter != null && inviter.endpoint() instanceof TcpEndpoint tcp) {
            InetAddress here = addressTowards(tcp);
            return ListeningSocket.tcp(here, here.getHostAddress(), settings.ports());
        }
        Path directory = SocketDirectory.below(context, newToken());
        if (mayUseFilesIn(directory)) {
            return ListeningSocket.inOwn(SocketDirectory.make(directory, context), newToken());
        }
        CallerHost host = context.callerHost();
        return ListeningSocket.tcp(host.bind(), host.advertised(), settings.ports());
    }

    private boolean mayUseFilesIn(Path directory) {
        if (!settings.mayUseFiles() || !SocketDirectory.isSupported(directory)) {
            return false;
        }
        boolean hasRoom = SocketDirectory.hasRoomForFiles(directory);
        if (!hasRoom) {
            context.listener()
                    .onWarning("Workers on this host are reached over TCP, with sealed frames: paths in '" + directory
                            + "' are too long for socket files. Set -Djava.io.tmpdir to a shorter path.");
        }
        return hasRoom;
    }

    /** Returns this host's address on the way to the inviter: peers that this host can reach can reach it there. */
    private static InetAddress addressTowards(TcpEndpoint inviter) {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.connect(new InetSocketAddress(InetAddress.getByName(inviter.host()), inviter.port()));
            return ((InetSocketAddress) channel.getLocalAddress()).getAddress();
        } catch (IOException e) {
            throw new TransportException(
                    Kind.NO_ROOM,
                    "This process cannot find the local address from which it reaches '" + inviter.host()
                            + "', and therefore cannot invite: " + e.getMessage() + ".",
                    e);
        }
    }

    /** The generator is created when needed, so that a process that only dials starts faster. */
    private Token newToken() {
        SecureRandom source = random;
        if (source == null) {
            source = new SecureRandom();
            random = source;
        }
        return Token.random(source);
    }

    private SocketDirectory directoryOf(UnixEndpoint endpoint) {
        Path directory = endpoint.file().getParent();
        return SocketDirectory.proven(directory == null ? endpoint.file() : directory, context.directory());
    }

    @Override
    public Link dial(Address address) {
        requireOpen();
        LinkAddress parsed = LinkAddress.parse(address);
        SocketDirectory directory = parsed.endpoint() instanceof UnixEndpoint unix ? directoryOf(unix) : null;
        if (firstDialled == null) {
            firstDialled = parsed;
        }
        return link(parsed, new Dial(parsed, directory, settings, clock.getAsLong()));
    }

    private void requireOpen() {
        if (isClosed) {
            throw new TransportException(Kind.UNUSABLE, "The transport was closed; create another one.");
        }
    }

    @Override
    public int doWork() {
        if (isClosed) {
            return 0;
        }
        long nowNs = clock.getAsLong();
        Arrivals listening = arrivals;
        int work = listening == null ? 0 : listening.doWork(nowNs);
        for (int i = links.size() - 1; i >= 0; i--) {
            SocketLink link = links.get(i);
            work += link.doWork(nowNs);
            if (link.isOver()) {
                links.remove(i);
                forget(link);
                work++;
            }
        }
        return work;
    }

    @Override
    public boolean registerWith(Selector selector) {
        readiness.use(selector);
        Arrivals listening = arrivals;
        if (listening != null) {
            listening.watch();
        }
        links.forEach(SocketLink::watch);
        return true;
    }

    private void forget(SocketLink link) {
        Arrivals listening = arrivals;
        Token token = link.expectedToken();
        if (listening != null && token != null) {
            listening.forget(token);
        }
        link.disconnect();
    }

    @Override
    public Map<String, Long> counters() {
        return counters.snapshot();
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        links.forEach(link -> link.close("closed by this process, whose transport was closed"));
        long endNs = System.nanoTime() + CLOSE_NS;
        while (isAnyLeaving() && System.nanoTime() - endNs < 0) {
            LockSupport.parkNanos(this, CLOSE_PAUSE_NS);
        }
        links.forEach(SocketLink::disconnect);
        links.clear();
        Arrivals listening = arrivals;
        if (listening != null) {
            listening.close();
        }
    }

    /** Writes what links have accepted. Returns true if a socket did not accept all of it. */
    private boolean isAnyLeaving() {
        long nowNs = clock.getAsLong();
        boolean isAny = false;
        for (SocketLink link : links) {
            link.doWork(nowNs);
            isAny |= link.hasUnsent();
        }
        return isAny;
    }
}
