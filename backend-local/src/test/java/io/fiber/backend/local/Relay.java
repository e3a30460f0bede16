// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.spi.transport.Address;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A man in the middle: workers send their datagrams to it, it passes them on to the master and back. It keeps what it saw,
 * may change what it passes on, and can send what it kept again, from the same sockets.
 */
final class Relay implements AutoCloseable {

    /** Where a datagram was going. */
    enum Way {
        TO_MASTER,
        TO_WORKER
    }

    /** A datagram that was seen, and the socket that can send it again to where it went. */
    static final class Captured {
        private final byte[] bytes;
        private final DatagramChannel channel;
        private final SocketAddress target;

        Captured(byte[] bytes, DatagramChannel channel, SocketAddress target) {
            this.bytes = bytes;
            this.channel = channel;
            this.target = target;
        }

        byte[] bytes() {
            return bytes;
        }
    }

    private static final Pattern PORTS = Pattern.compile(";data=(\\d+);control=(\\d+);");
    private static final int GREATEST_CAPTURE = 20_000;
    private static final int SOCKET_BUFFER_BYTES = 1 << 21;

    /** One port of the master, as workers see it. */
    private static final class Port {
        private final InetSocketAddress master;
        private final DatagramChannel listening = open();
        private final Map<SocketAddress, DatagramChannel> byWorker = new HashMap<>();

        Port(int port) {
            master = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        }
    }

    private record Flow(Port port, Way way, SocketAddress worker) {}

    private final Selector selector;
    private final Map<Integer, Port> ports = new HashMap<>();
    private final List<Captured> captured = new CopyOnWriteArrayList<>();
    private final ByteBuffer packet = ByteBuffer.allocateDirect(65_536);
    private final Thread thread = new Thread(this::run, "test-relay");
    private volatile Map<Way, UnaryOperator<byte[]>> changes = Map.of();
    private volatile boolean captures = true;
    private volatile boolean closed;

    Relay() throws IOException {
        selector = Selector.open();
        thread.start();
    }

    /** Changes what is passed on one way from now on, and nothing on the other way. */
    void change(Way way, UnaryOperator<byte[]> newChange) {
        changes = Map.of(way, newChange);
    }

    /** Passes everything on as it is from now on. */
    void changeNothing() {
        changes = Map.of();
    }

    /** Keeps nothing more. */
    void stopCapture() {
        captures = false;
    }

    List<Captured> captured() {
        return captured;
    }

    /** Returns an address that leads here instead of to the master. */
    Address detour(Address address) {
        Matcher matcher = ports(address);
        return withPorts(
                address, portFor(Integer.parseInt(matcher.group(1))), portFor(Integer.parseInt(matcher.group(2))));
    }

    /** Returns an address that leads to other ports of this host. */
    static Address withPorts(Address address, int data, int control) {
        return new Address(ports(address).replaceFirst(";data=" + data + ";control=" + control + ";"));
    }

    private static Matcher ports(Address address) {
        Matcher matcher = PORTS.matcher(address.text());
        if (!matcher.find()) {
            throw new IllegalArgumentException(address.text());
        }
        return matcher;
    }

    private int portFor(int masterPort) {
        synchronized (ports) {
            Port port = ports.computeIfAbsent(masterPort, Port::new);
            try {
                if (port.listening.keyFor(selector) == null) {
                    port.listening.register(selector, SelectionKey.OP_READ, new Flow(port, Way.TO_MASTER, port.master));
                    selector.wakeup();
                }
                return ((InetSocketAddress) port.listening.getLocalAddress()).getPort();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static DatagramChannel open() {
        try {
            DatagramChannel channel = DatagramChannel.open();
            channel.setOption(java.net.StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER_BYTES);
            channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            channel.configureBlocking(false);
            return channel;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void run() {
        try {
            while (!closed) {
                selector.select(key -> {
                    Flow flow = (Flow) key.attachment();
                    try {
                        pass(flow, (DatagramChannel) key.channel());
                    } catch (IOException e) {
                        // A port that is closed by now answers so; the next datagram may pass.
                    }
                });
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void pass(Flow flow, DatagramChannel from) throws IOException {
        packet.clear();
        SocketAddress source = from.receive(packet);
        while (source != null) {
            packet.flip();
            byte[] bytes = new byte[packet.remaining()];
            packet.get(bytes);
            if (flow.way() == Way.TO_MASTER) {
                DatagramChannel upstream = upstream(flow.port(), source);
                send(flow.way(), new Captured(bytes, upstream, flow.port().master));
            } else {
                send(flow.way(), new Captured(bytes, flow.port().listening, flow.worker()));
            }
            packet.clear();
            source = from.receive(packet);
        }
    }

    private void send(Way way, Captured datagram) throws IOException {
        if (captures && captured.size() < GREATEST_CAPTURE) {
            captured.add(datagram);
        }
        byte[] changed = changes.getOrDefault(way, bytes -> bytes).apply(datagram.bytes());
        datagram.channel.send(ByteBuffer.wrap(changed), datagram.target);
    }

    private DatagramChannel upstream(Port port, SocketAddress worker) throws IOException {
        DatagramChannel known = port.byWorker.get(worker);
        if (known == null) {
            known = open();
            known.register(selector, SelectionKey.OP_READ, new Flow(port, Way.TO_WORKER, worker));
            port.byWorker.put(worker, known);
        }
        return known;
    }

    /** Sends a datagram again, to where it went, from where it came. */
    static void again(Captured datagram) {
        try {
            datagram.channel.send(ByteBuffer.wrap(datagram.bytes()), datagram.target);
        } catch (IOException e) {
            // The port may be closed by now.
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        selector.close();
    }
}
