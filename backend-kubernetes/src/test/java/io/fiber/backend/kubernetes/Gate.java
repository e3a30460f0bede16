// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;

/** A port that leads to another one, until it is shut: then what is open breaks, and nobody gets in. One thread. */
final class Gate implements AutoCloseable {

    private static final int BUFFER_BYTES = 1 << 16;

    private final InetSocketAddress behind;
    private final Selector selector;
    private final ServerSocketChannel door;
    private final Thread thread = new Thread(this::run, "gate");
    private volatile boolean open = true;
    private volatile boolean closed;

    private Gate(InetSocketAddress behind) throws IOException {
        this.behind = behind;
        this.selector = Selector.open();
        this.door = ServerSocketChannel.open();
        door.bind(new InetSocketAddress(behind.getAddress(), 0));
        door.configureBlocking(false);
        door.register(selector, SelectionKey.OP_ACCEPT);
        thread.setDaemon(true);
    }

    /** Opens one at any port of the same address. */
    static Gate before(InetSocketAddress behind) {
        try {
            Gate gate = new Gate(behind);
            gate.thread.start();
            return gate;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return door.socket().getLocalPort();
    }

    void shut() {
        open = false;
        selector.wakeup();
    }

    void open() {
        open = true;
    }

    private void run() {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        try {
            while (!closed) {
                selector.select();
                if (!open || closed) {
                    breakAll();
                }
                for (SelectionKey key : selector.selectedKeys()) {
                    serve(key, buffer);
                }
                selector.selectedKeys().clear();
            }
            door.close();
            selector.close();
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
