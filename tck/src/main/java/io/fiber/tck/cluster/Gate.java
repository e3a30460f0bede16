// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.cluster;

import io.fiber.tck.backend.BackendFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;

/**
 * A socket that forwards to another one until it is shut. Then open connections break, and new ones are refused. One
 * thread forwards the data. Thread-safe.
 */
public final class Gate implements AutoCloseable {

    private static final int BUFFER_BYTES = 1 << 16;

    private final SocketAddress behind;
    private final Selector selector;
    private final ServerSocketChannel door;
    private final Thread thread = new Thread(this::run, "gate");
    private volatile boolean open = true;
    private volatile CountDownLatch shut = new CountDownLatch(0);
    private volatile boolean closed;

    private Gate(ServerSocketChannel door, SocketAddress behind) throws IOException {
        this.door = door;
        this.behind = behind;
        this.selector = Selector.open();
        door.configureBlocking(false);
        door.register(selector, SelectionKey.OP_ACCEPT);
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Opens a gate at any TCP port of an address of this host.
     *
     * @throws UncheckedIOException if there is no such address
     */
    public static Gate before(InetAddress own, InetSocketAddress behind) {
        try {
            return new Gate(ServerSocketChannel.open().bind(new InetSocketAddress(own, 0)), behind);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Opens a gate that is a Unix domain socket in front of another.
     *
     * @param path where it will be; {@link #close} removes the file
     * @throws UncheckedIOException if it cannot be there
     */
    public static Gate before(Path path, Path behind) {
        try {
            return new Gate(
                    ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(path)),
                    UnixDomainSocketAddress.of(behind));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the address of a gate that is a TCP port.
     *
     * @throws IllegalStateException if it is a Unix domain socket
     */
    public InetSocketAddress address() {
        try {
            if (door.getLocalAddress() instanceof InetSocketAddress address) {
                return address;
            }
            throw new IllegalStateException("This gate is no TCP port but " + door.getLocalAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Shuts the gate; returns when all open connections are closed. */
    public void shut() {
        shut = new CountDownLatch(1);
        open = false;
        selector.wakeup();
        try {
            shut.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Opens the gate again. */
    public void open() {
        open = true;
    }

    /** Returns the outage of a platform that is reached only by this gate. */
    public BackendFixture.Outage outage() {
        return new BackendFixture.Outage() {
            @Override
            public void begin() {
                shut();
            }

            @Override
            public void end() {
                open();
            }
        };
    }

    private void run() {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        try {
            while (!closed) {
                selector.select();
                if (!open || closed) {
                    breakAll();
                    shut.countDown();
                }
                for (SelectionKey key : selector.selectedKeys()) {
                    serve(key, buffer);
                }
                selector.selectedKeys().clear();
            }
            SocketAddress place = door.getLocalAddress();
            door.close();
            selector.close();
            if (place instanceof UnixDomainSocketAddress file) {
                Files.deleteIfExists(file.getPath());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void serve(SelectionKey key, ByteBuffer buffer) throws IOException {
        if (!key.isValid()) {
            return;
        }
        if (key.isAcceptable()) {
            accept();
        } else if (key.channel() instanceof SocketChannel from && key.attachment() instanceof SocketChannel to) {
            try {
                pass(from, to, buffer);
            } catch (IOException e) {
                from.close();
                to.close();
            }
        }
    }

    private static void pass(SocketChannel from, SocketChannel to, ByteBuffer buffer) throws IOException {
        buffer.clear();
        if (from.read(buffer) < 0) {
            from.close();
            to.close();
            return;
        }
        buffer.flip();
        while (buffer.hasRemaining()) {
            to.write(buffer);
        }
    }

    private void accept() throws IOException {
        SocketChannel client = door.accept();
        if (client == null) {
            return;
        }
        if (!open) {
            client.close();
            return;
        }
        SocketChannel server;
        try {
            server = SocketChannel.open(behind);
        } catch (IOException e) {
            // No server is behind it now.
            client.close();
            return;
        }
        client.configureBlocking(false);
        server.configureBlocking(false);
        client.register(selector, SelectionKey.OP_READ, server);
        server.register(selector, SelectionKey.OP_READ, client);
    }

    private void breakAll() throws IOException {
        for (SelectionKey key : new ArrayList<>(selector.keys())) {
            if (key.channel() instanceof SocketChannel channel) {
                channel.close();
            }
        }
    }

    /** Shuts the gate for good; returns when its thread has ended. */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
