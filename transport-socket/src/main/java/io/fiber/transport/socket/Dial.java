// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

import io.fiber.transport.socket.LinkAddress.TcpEndpoint;
import io.fiber.transport.socket.LinkAddress.UnixEndpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Connects to a process that invited. Tries again until the deadline, because a connection can be lost before it is
 * answered. A refusal is final, and so is a socket file at which no process listens. Not thread-safe; belongs to the
 * thread that drives the transport.
 */
final class Dial {

    private static final long FIRST_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST_PAUSE_NS = TimeUnit.SECONDS.toNanos(1);

    private final LinkAddress address;
    private final TransportSettings settings;
    private final @Nullable SocketDirectory directory;
    private final long endNs;
    private final ByteBuffer answer = ByteBuffer.allocate(1);
    private @Nullable SocketChannel channel;
    private @Nullable ByteBuffer greeting;
    private long nextTryNs;
    private long pauseNs = FIRST_PAUSE_NS;
    private String lastFault = "no answer came";
    private @Nullable String failure;
    private @Nullable SocketChannel accepted;

    /**
     * Creates a dial, without connecting yet.
     *
     * @param directory the verified directory of a socket file, null for a port
     */
    Dial(LinkAddress address, @Nullable SocketDirectory directory, TransportSettings settings, long nowNs) {
        this.address = address;
        this.directory = directory;
        this.settings = settings;
        this.nextTryNs = nowNs;
        this.endNs = nowNs + settings.patienceNs();
    }

    /** Returns the connection that the peer has accepted; null before that. */
    @Nullable
    SocketChannel accepted() {
        return accepted;
    }

    /** Returns the connection that is being established; null between two attempts. */
    @Nullable
    SocketChannel pending() {
        return channel;
    }

    /** Returns why there will be no connection; null while there may be one. */
    @Nullable
    String failure() {
        return failure;
    }

    /** Does what can be done now. */
    void advance(long nowNs) {
        boolean wasConnected = false;
        try {
            SocketChannel current = channel;
            if (current == null && nowNs - nextTryNs >= 0) {
                current = connect();
            }
            wasConnected = current != null && current.isConnected();
            if (current != null && current.finishConnect()) {
                wasConnected = true;
                greet(current);
            }
        } catch (IOException e) {
            lastFault = e.getMessage() == null ? e.toString() : e.getMessage();
            close();
            nextTryNs = nowNs + pauseNs;
            pauseNs = Math.min(2 * pauseNs, LONGEST_PAUSE_NS);
            if (address.isOfNewcomers()) {
                failAtOnce(e);
            } else if (address.isUnix() && !wasConnected) {
                fail("no process listens at " + place() + " (" + lastFault + ")");
            }
        }
        if (accepted == null && failure == null && nowNs - endNs > 0) {
            fail("no process has answered at " + place() + " (" + lastFault + ")");
        }
    }

    /** Fails without a retry: a program that was given a wrong host or port should learn it at once. */
    private void failAtOnce(IOException e) {
        failure = e instanceof UnknownHostException ? "the host name is unknown" : lastFault;
    }

    private SocketChannel connect() throws IOException {
        SocketAddress remote = address.endpoint() instanceof TcpEndpoint tcp
                ? new InetSocketAddress(InetAddress.getByName(tcp.host()), tcp.port())
                : UnixDomainSocketAddress.of(((UnixEndpoint) address.endpoint()).file());
        SocketChannel opened =
                address.isUnix() ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open();
        channel = opened;
        opened.configureBlocking(false);
        opened.connect(remote);
        return opened;
    }

    private void greet(SocketChannel connected) throws IOException {
        ByteBuffer unsent = greeting;
        if (unsent == null) {
            if (directory != null && !directory.isPeerOfOwner(connected)) {
                fail("a process of another user is listening at " + place());
                return;
            }
            Sockets.prepare(connected, settings.patienceNs());
            unsent = Greeting.naming(address.token());
            greeting = unsent;
        }
        connected.write(unsent);
        int bytes = unsent.hasRemaining() ? 0 : connected.read(answer.clear());
        if (bytes < 0) {
            throw new IOException("the connection was closed before an answer came");
        }
        if (bytes > 0) {
            settle(connected, answer.get(0));
        }
    }

    private void settle(SocketChannel connected, byte said) {
        if (said == Greeting.ACCEPTED) {
            accepted = connected;
            channel = null;
        } else if (said == Greeting.REFUSED) {
            fail("the link was refused at " + place());
        } else {
            fail("something other than this transport listens at " + place());
        }
    }

    private void fail(String what) {
        failure = what + ": the inviting process has ended or closed the link, another peer has dialled it"
                + (address.isUnix() ? "" : ", or a firewall blocks it");
        close();
    }

    private String place() {
        return address.endpoint().inWords();
    }

    /** Closes a connection that was not accepted. */
    void close() {
        greeting = null;
        Sockets.close(channel);
        channel = null;
    }
}
