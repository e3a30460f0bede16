// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

import io.fiber.spi.transport.TransportException;
import io.fiber.spi.transport.TransportException.Kind;
import io.fiber.transport.socket.LinkAddress.Endpoint;
import io.fiber.transport.socket.LinkAddress.TcpEndpoint;
import io.fiber.transport.socket.LinkAddress.UnixEndpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The socket at which peers of this process connect: a socket file or a TCP port. Not thread-safe; belongs to the
 * thread that drives the transport.
 */
final class ListeningSocket implements AutoCloseable {

    /** How many peers may connect between two calls of accept; the kernel has a limit of its own. */
    private static final int BACKLOG = 1024;

    private final Endpoint endpoint;
    private final ServerSocketChannel channel;
    private final @Nullable SocketDirectory directory;
    private final boolean isDirectoryOwn;
    /** Shows without garbage that nothing has arrived, which the channel itself does not. */
    private final Selector selector;

    private ListeningSocket(Opened opened, Endpoint endpoint, @Nullable SocketDirectory directory, boolean isOwn) {
        this.channel = opened.channel;
        this.selector = opened.selector;
        this.endpoint = endpoint;
        this.directory = directory;
        this.isDirectoryOwn = isOwn;
    }

    private record Opened(ServerSocketChannel channel, Selector selector) {}

    /** Listens at a file in a directory that this process has created, and removes it with the socket. */
    static ListeningSocket inOwn(SocketDirectory directory, Token name) {
        return unix(directory, name, true);
    }

    /** Listens at a file in a directory of another process, which removes what is left there. */
    static ListeningSocket inAnothers(SocketDirectory directory, Token name) {
        return unix(directory, name, false);
    }

    private static ListeningSocket unix(SocketDirectory directory, Token name, boolean isOwn) {
        Path file = directory.file(name);
        try {
            Opened opened = open(StandardProtocolFamily.UNIX, UnixDomainSocketAddress.of(file));
            return new ListeningSocket(opened, new UnixEndpoint(file), directory, isOwn);
        } catch (IOException e) {
            if (isOwn) {
                directory.remove();
            }
            throw new TransportException(
                    Kind.NO_ROOM, "This process cannot listen at the socket file '" + file + "': " + e + ".", e);
        }
    }

    /**
     * Listens at the first free port of a range.
     *
     * @param advertised the address or name of this host that peers dial
     * @throws TransportException (NO_ROOM) if no port is free
     */
    static ListeningSocket tcp(InetAddress bind, String advertised, PortRange range) {
        IOException last = null;
        for (int port : range.ports()) {
            try {
                Opened opened = open(null, new InetSocketAddress(bind, port));
                int bound = opened.channel.socket().getLocalPort();
                return new ListeningSocket(opened, new TcpEndpoint(advertised, bound), null, false);
            } catch (IOException e) {
                last = e;
            }
        }
        throw new TransportException(
                Kind.NO_ROOM,
                "No TCP port could be bound at " + bind.getHostAddress() + ": tried " + range.inWords()
                        + ", the last one failed with: "
                        + (last == null ? "nothing to try" : last.getMessage())
                        + ". One free port is needed, on an address of this host.",
                last);
    }

    private static Opened open(@Nullable StandardProtocolFamily family, SocketAddress address) throws IOException {
        ServerSocketChannel channel = family == null ? ServerSocketChannel.open() : ServerSocketChannel.open(family);
        Selector selector = null;
        try {
            channel.configureBlocking(false);
            channel.bind(address, BACKLOG);
            selector = Selector.open();
            channel.register(selector, SelectionKey.OP_ACCEPT);
            return new Opened(channel, selector);
        } catch (IOException e) {
            channel.close();
            if (selector != null) {
                selector.close();
            }
            throw e;
        }
    }

    Endpoint endpoint() {
        return endpoint;
    }

    /** Registers the socket with the runtime's selector. */
    void watch(Readiness readiness) {
        readiness.watch(channel, SelectionKey.OP_ACCEPT);
    }

    /** Returns whether a connection may have arrived. */
    boolean hasConnections() throws IOException {
        if (selector.selectNow() == 0) {
            return false;
        }
        selector.selectedKeys().clear();
        return true;
    }

    /** Returns the next connection; null if there is none. Does not block. */
    @Nullable
    SocketChannel accept() throws IOException {
        SocketChannel accepted = channel.accept();
        if (accepted != null) {
            accepted.configureBlocking(false);
        }
        return accepted;
    }

    /**
     * Returns whether a connection may be from a peer. Over a socket file, only processes of this user are accepted.
     */
    boolean mayBePeer(SocketChannel accepted) {
        return directory == null || directory.isPeerOfOwner(accepted);
    }

    @Override
    public void close() {
        try (selector;
                channel) {
            if (endpoint instanceof UnixEndpoint unix) {
                Files.deleteIfExists(unix.file());
            }
        } catch (IOException e) {
            // Either the socket was closed only in part, or a file is left, which is removed with its directory.
        }
        if (directory != null && isDirectoryOwn) {
            directory.remove();
        }
    }
}
