// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.aeron.exceptions.RegistrationException;
import io.fiber.spi.transport.TransportException;
import io.fiber.spi.transport.TransportException.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.Random;
import java.util.function.IntConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The two UDP ports of this process: at one it receives, from the other it answers. An unused stream holds each port,
 * so that it stays bound while no link uses it.
 */
final class UdpEndpoints {

    /** A numeric address, of IPv4 or IPv6. */
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.%a-z]*");

    /** Fits every network that is likely to occur, including tunnels. */
    static final int SAFE_MTU_BYTES = 1408;

    /** Loopback has no frames on a wire. */
    static final int LOOPBACK_MTU_BYTES = 8192;

    private static final int FREE_PORTS_TO_TRY = 32;

    private final InetAddress bind;
    private final String bindHost;
    private final int dataPort;
    private final int controlPort;

    private UdpEndpoints(InetAddress bind, String bindHost, int dataPort, int controlPort) {
        this.bind = bind;
        this.bindHost = bindHost;
        this.dataPort = dataPort;
        this.controlPort = controlPort;
    }

    /**
     * Binds both ports.
     *
     * @throws TransportException (NO_ROOM) if the range does not have two free ports
     */
    static UdpEndpoints bind(OwnDriver node, PortRange range, InetAddress bind, Random random) {
        String host = literal(bind.getHostAddress());
        int holder = random.nextInt();
        int data = bindOne(
                range,
                bind,
                port -> node.client()
                        .addSubscription("aeron:udp?endpoint=" + host + ":" + port + "|session-id=" + holder, holder));
        int control = bindOne(
                range,
                bind,
                port -> node.client()
                        .addExclusivePublication(
                                "aeron:udp?control-mode=response|response-correlation-id=prototype|control=" + host
                                        + ":" + port + "|term-length=" + TermLength.SMALLEST,
                                holder));
        return new UdpEndpoints(bind, host, data, control);
    }

    /** Lets {@code binding} make the driver bind a port, until one is free. */
    private static int bindOne(PortRange ports, InetAddress bind, IntConsumer binding) {
        @Nullable RuntimeException last = null;
        int tried = 0;
        if (ports.isAny()) {
            for (; tried < FREE_PORTS_TO_TRY; tried++) {
                int port = freePort(bind);
                last = tryBind(binding, port);
                if (last == null) {
                    return port;
                }
            }
        }
        for (PortRange.Span span : ports.spans()) {
            for (int port = span.first(); port <= span.last(); port++, tried++) {
                last = tryBind(binding, port);
                if (last == null) {
                    return port;
                }
            }
        }
        throw new TransportException(
                Kind.NO_ROOM,
                "No UDP port could be bound at " + bind.getHostAddress() + ": tried " + tried + " of " + ports
                        + " (option '" + TransportSettings.PORT_RANGE + "'), the last one failed with: "
                        + (last == null ? "nothing to try" : last.getMessage())
                        + ". Two free ports are needed, on an address of this host.",
                last);
    }

    private static @Nullable RuntimeException tryBind(IntConsumer binding, int port) {
        try {
            binding.accept(port);
            return null;
        } catch (RegistrationException e) {
            return e;
        }
    }

    private static int freePort(InetAddress bind) {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.bind(new InetSocketAddress(bind, 0));
            return ((InetSocketAddress) channel.getLocalAddress()).getPort();
        } catch (IOException e) {
            throw new TransportException(
                    Kind.NO_ROOM,
                    "No UDP port can be bound at " + bind.getHostAddress() + ": " + e.getMessage()
                            + ". Expected an address of this host.",
                    e);
        }
    }

    /**
     * Returns the parameter that binds a socket to the one address of this host from which packets to a peer are sent,
     * and not to all addresses. Empty if only a name server knows the peer's address, or if the peer cannot be reached.
     */
    static String ownEndpointTowards(String host, int port) {
        if (!ADDRESS.matcher(host).matches()) {
            return "";
        }
        try {
            InetAddress own = addressTowards(new InetSocketAddress(host, port));
            return "|endpoint=" + literal(own.getHostAddress()) + ":0";
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns the address of this host from which packets to a peer are sent. */
    static InetAddress addressTowards(InetSocketAddress peer) throws IOException {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.connect(peer);
            return ((InetSocketAddress) channel.getLocalAddress()).getAddress();
        }
    }

    /** Encloses an IPv6 address in brackets. */
    static String literal(String host) {
        return host.indexOf(':') >= 0 && host.charAt(0) != '[' ? "[" + host + "]" : host;
    }

    boolean isLoopback() {
        return bind.isLoopbackAddress();
    }

    String host() {
        return bind.getHostAddress();
    }

    int dataPort() {
        return dataPort;
    }

    int controlPort() {
        return controlPort;
    }

    String dataEndpoint() {
        return bindHost + ":" + dataPort;
    }

    String controlEndpoint() {
        return bindHost + ":" + controlPort;
    }
}
