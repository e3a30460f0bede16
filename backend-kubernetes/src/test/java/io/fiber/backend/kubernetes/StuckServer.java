// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An API server that accepts connections and answers up to a point, after which it is silent. Thread-safe. */
final class StuckServer implements AutoCloseable {

    /** Where it falls silent. */
    enum Silent {
        IN_THE_HANDSHAKE_OF_TLS,
        BEFORE_AN_ANSWER,
        WITHIN_AN_ANSWER,
        BEFORE_A_WATCH,
        WITHIN_A_WATCH
    }

    private static final Pattern KEY = Pattern.compile("(?i)sec-websocket-key: (\\S+)");
    private static final String LIST = "{\"kind\": \"PodList\", \"apiVersion\": \"v1\","
            + " \"metadata\": {\"resourceVersion\": \"1\"}, \"items\": []}";

    /** As short as one byte tells. */
    private static final String EVENT = "{\"type\": \"ADDED\", \"object\": {\"kind\": \"Pod\", \"apiVersion\": \"v1\","
            + " \"metadata\": {\"name\": \"p\"}}}";

    private final Silent silent;
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final CountDownLatch stuck = new CountDownLatch(1);

    StuckServer(Silent silent) throws IOException {
        this.silent = silent;
        daemon(this::accept);
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "stuck-server");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                open.add(socket);
                daemon(() -> answer(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void answer(Socket socket) {
        try (socket) {
            InputStream in = socket.getInputStream();
            StringBuilder head = new StringBuilder();
            for (int each = in.read(); each >= 0; each = in.read()) {
                head.append((char) each);
                if (silent == Silent.IN_THE_HANDSHAKE_OF_TLS) {
                    stuck.countDown();
                } else if (head.toString().endsWith("\r\n\r\n")) {
                    answer(head.toString(), socket.getOutputStream());
                    head.setLength(0);
                }
            }
        } catch (IOException e) {
            // The client has broken the connection.
        } finally {
            open.remove(socket);
        }
    }

    private void answer(String head, OutputStream out) throws IOException {
        boolean watch = head.contains("watch=true");
        if (!watch && (silent == Silent.BEFORE_A_WATCH || silent == Silent.WITHIN_A_WATCH)) {
            write(out, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + LIST.length());
            write(out, "\r\n\r\n" + LIST);
            return;
        }
        Matcher key = KEY.matcher(head);
        if (watch && silent == Silent.WITHIN_A_WATCH && key.find()) {
            write(out, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n");
            write(out, "Sec-WebSocket-Accept: " + accepted(key.group(1)) + "\r\n\r\n");
            out.write(new byte[] {(byte) 0x81, (byte) EVENT.length()});
            write(out, EVENT);
        } else if (silent == Silent.WITHIN_AN_ANSWER) {
            write(out, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n");
        }
        stuck.countDown();
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String accepted(String key) {
        try {
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-1")
                            .digest((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns a cluster that this is the API server of. */
    Cluster connect(Path directory) throws IOException {
        String scheme = silent == Silent.IN_THE_HANDSHAKE_OF_TLS ? "https" : "http";
        Path file = Files.writeString(
                directory.resolve("kubeconfig-" + silent), """
                apiVersion: v1
                kind: Config
                current-context: here
                clusters:
                - name: c
                  cluster: {server: "%s://127.0.0.1:%d", insecure-skip-tls-verify: true}
                users:
                - name: u
                  user: {token: secret}
                contexts:
                - name: here
                  context: {cluster: c, user: u}
                """.formatted(scheme, server.getLocalPort()));
        return Cluster.connect(new ClusterAddress(file.toString(), "", "", "from a test"));
    }

    void awaitStuck() throws InterruptedException {
        stuck.await();
    }

    int connections() {
        return open.size();
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket each : open) {
            each.close();
        }
    }
}
