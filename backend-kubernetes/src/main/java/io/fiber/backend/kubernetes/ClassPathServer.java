// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fiber.backend.kubernetes.boot.Fetch;
import io.fiber.backend.support.BackendThreads;
import io.fiber.backend.support.PackedPath;
import io.fiber.backend.support.PackedPath.Packed;
import io.fiber.spi.CallerHost;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;

/**
 * Serves the class path to the pods of a session by HTTP. Clients must know a random word, and request files by their
 * SHA-256. It starts listening when a program first needs it. Thread-safe.
 */
final class ClassPathServer implements AutoCloseable {

    /** Where the class path is in a pod. */
    static final String DIRECTORY = "/fiber/class-path";

    private static final String OWN_MODULE = "io.fiber.backend.kubernetes";
    private static final int SERVING = 16;
    private static final long IDLE_SECONDS = 5;
    private static final int TOKEN_BYTES = 32;
    private static final String FETCH_FILE = Fetch.class.getName().replace('.', '/') + ".class";

    private final CallerHost host;
    private final int port;
    private final PackedPath files;
    private final Map<String, Path> byHash = new ConcurrentHashMap<>();
    private final byte[] token;
    private final ThreadPoolExecutor executor;
    private final AtomicInteger servedFiles = new AtomicInteger();
    private final AtomicLong servedBytes = new AtomicLong();
    private @Nullable HttpServer server;

    /**
     * Creates a server that does not listen yet.
     *
     * @param port where it will listen, 0 for any port
     * @param scratch a directory for jars that have to be created
     */
    ClassPathServer(CallerHost host, int port, Path scratch) {
        this.host = host;
        this.port = port;
        this.files = new PackedPath(scratch, "FBR-178", "pods");
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        this.token = HexFormat.of().formatHex(random).getBytes(StandardCharsets.US_ASCII);
        this.executor = new ThreadPoolExecutor(
                SERVING,
                SERVING,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                BackendThreads.daemons("fiber-kubernetes-class-path"));
        executor.allowCoreThreadTimeOut(true);
    }

    /**
     * Returns the class path of a submission's program as a pod sees it, and serves nothing yet. Workers do not get the
     * client of Kubernetes.
     *
     * @throws BackendException FBR-178 if it cannot be read
     */
    PackedPath.Placed place(Submission submission, Program.Java program) {
        return files.placed(submission, program, OWN_MODULE, DIRECTORY);
    }

    /**
     * Serves the files of a class path and returns the plan for {@link Fetch}.
     *
     * @throws BackendException FBR-178 if nothing can be served
     */
    String offer(PackedPath.Placed placed) {
        Set<String> lines = new LinkedHashSet<>();
        lines.add("http://" + bracketed(host.advertised()) + ":" + listen() + "/"
                + new String(token, StandardCharsets.US_ASCII) + "/");
        for (Packed each : placed.files()) {
            byHash.put(each.hash(), each.file());
            lines.add(each.hash() + " " + each.place());
        }
        return String.join("\n", lines) + "\n";
    }

    private static String bracketed(String address) {
        return address.contains(":") ? "[" + address + "]" : address;
    }

    private synchronized int listen() {
        if (server == null) {
            try {
                HttpServer made = HttpServer.create(new InetSocketAddress(host.bind(), port), 0);
                made.createContext("/", this::answer);
                made.setExecutor(executor);
                made.start();
                server = made;
            } catch (IOException e) {
                throw new BackendException(
                        "FBR-178 The class path cannot be served at "
                                + host.bind().getHostAddress() + " port "
                                + (port == 0 ? "(any)" : port) + ": " + e
                                + ". Name a free port in fiber.kubernetes.class-path-port, or put the class path into"
                                + " the"
                                + " image and set fiber.kubernetes.class-path to image.",
                        e);
            }
        }
        return server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String[] parts = exchange.getRequestURI().getPath().split("/", -1);
            Optional<Path> file =
                    parts.length == 3 && MessageDigest.isEqual(parts[1].getBytes(StandardCharsets.US_ASCII), token)
                            ? Optional.ofNullable(byHash.get(parts[2]))
                            : Optional.empty();
            if (file.isEmpty()) {
                exchange.sendResponseHeaders(HttpURLConnection.HTTP_NOT_FOUND, -1);
                return;
            }
            exchange.sendResponseHeaders(HttpURLConnection.HTTP_OK, Files.size(file.get()));
            servedBytes.addAndGet(Files.copy(file.get(), exchange.getResponseBody()));
            servedFiles.incrementAndGet();
        }
    }

    /** Returns a jar with the program that fetches. */
    static byte[] fetcher() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (InputStream in = Fetch.class.getClassLoader().getResourceAsStream(FETCH_FILE);
                JarOutputStream jar = new JarOutputStream(bytes)) {
            if (in == null) {
                throw new IllegalStateException("The class " + Fetch.class.getName() + " is not in its own jar.");
            }
            jar.putNextEntry(new ZipEntry(FETCH_FILE));
            in.transferTo(jar);
            jar.closeEntry();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    @Override
    public synchronized void close() {
        if (server != null) {
            server.stop(0);
            server = null;
            System.getLogger(ClassPathServer.class.getName())
                    .log(
                            Level.DEBUG,
                            "Pods have fetched " + servedFiles.get() + " files of the class path: " + servedBytes.get()
                                    + " bytes.");
        }
        executor.shutdownNow();
        files.close();
    }
}
