// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.transport;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Connections of programs that do not know what a peer says first. Not thread-safe. */
final class Strangers implements AutoCloseable {

    private static final int TRIES = 1_000;

    private final SocketAddress door;
    private final Runnable cycle;
    private final Random random = new Random(11);
    private final List<SocketChannel> channels = new ArrayList<>();

    /** Creates no connection yet; {@code cycle} drives the transport, which has to accept what waits for it. */
    Strangers(SocketAddress door, Runnable cycle) {
        this.door = door;
        this.cycle = cycle;
    }

    /** Connects and says nothing. */
    SocketChannel connect() throws IOException {
        IOException last = new IOException("No connection to " + door + " was accepted.");
        for (int i = 0; i < TRIES; i++) {
            try {
                return connectOnce();
            } catch (IOException e) {
                last = e; // The queue of a socket file is full.
                cycle.run();
            }
        }
        throw last;
    }

    private SocketChannel connectOnce() throws IOException {
        SocketChannel channel = door instanceof UnixDomainSocketAddress
                ? SocketChannel.open(StandardProtocolFamily.UNIX)
                : SocketChannel.open();
        channels.add(channel);
        channel.configureBlocking(false);
        channel.connect(door);
        while (!channel.finishConnect()) {
            cycle.run();
        }
        return channel;
    }

    /** Connects and sends random bytes. */
    SocketChannel connect(int length) throws IOException {
        SocketChannel channel = connect();
        byte[] rubbish = new byte[length];
        random.nextBytes(rubbish);
        channel.write(ByteBuffer.wrap(rubbish));
        return channel;
    }

    /** Ends a connection as the kernel does for a process that dies with unread bytes. */
    static void reset(SocketChannel channel) throws IOException {
        if (channel.supportedOptions().contains(StandardSocketOptions.SO_LINGER)) {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        }
        channel.close();
    }

    /** Returns how many are still connected. */
    int connected() {
        return (int) channels.stream().filter(Strangers::isConnected).count();
    }

    private static boolean isConnected(SocketChannel channel) {
        try {
            return channel.isConnected() && channel.read(ByteBuffer.allocate(64)) >= 0;
        } catch (IOException e) {
            return false; // It was reset.
        }
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel channel : channels) {
            channel.close();
        }
    }
}
