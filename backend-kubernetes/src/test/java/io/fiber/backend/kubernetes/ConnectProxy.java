// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A proxy that knows CONNECT alone; whatever is asked for, it connects with one address. Thread-safe. */
final class ConnectProxy implements AutoCloseable {

    private final InetSocketAddress target;
    private final ServerSocket server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    ConnectProxy(InetSocketAddress target) throws IOException {
        this.target = target;
        threads.execute(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    /** Returns the hosts with their ports that were asked for. */
    List<String> asked() {
        return List.copyOf(asked);
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                open.add(client);
                threads.execute(() -> connect(client));
            }
        } catch (IOException e) {
            // It was closed.
        }
    }

    private void connect(Socket client) {
        try (client;
                Socket other = new Socket(target.getAddress(), target.getPort())) {
            open.add(other);
            String[] words = head(client.getInputStream()).split(" ", 3);
            if (!words[0].equals("CONNECT")) {
                client.getOutputStream().write("HTTP/1.1 405 no\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                return;
            }
            asked.add(words[1]);
            client.getOutputStream().write("HTTP/1.1 200 connected\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            threads.execute(() -> copy(other, client));
            copy(client, other);
        } catch (IOException e) {
            // One side has gone; the other hears of it by the end of its connection.
        }
    }

    private static String head(InputStream stream) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = stream.read();
            if (next < 0) {
                throw new IOException("The request broke off.");
            }
            head.append((char) next);
        }
        return head.toString();
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // As above.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket each : open) {
            each.close();
        }
        threads.shutdownNow();
    }
}
