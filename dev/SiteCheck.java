// SPDX-License-Identifier: Apache-2.0
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Opens each page of a site in Chromium, wide and narrow, light and dark, follows each link and prints each fault: {@code java
 * dev/SiteCheck.java SITE}. {@code dev/pages/check.js} runs in the browser and defines the faults. Ends with 1 if there is one,
 * and with 3 if there is no Chromium on the {@code PATH}.
 */
final class SiteCheck {
    private static final String PROGRAM = "chromium";
    private static final String OWN = "/site-check/";
    /** Chromium loads a page in milliseconds; a busy machine is forgiven much. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Path site;
    private final CompletableFuture<String> report = new CompletableFuture<>();
    /** What a page wanted to load and is not there. */
    private final Set<String> missing = new ConcurrentSkipListSet<>();

    private volatile long lastRequestNs = System.nanoTime();

    private SiteCheck(Path site) {
        this.site = site;
    }

    public static void main(String[] arguments) throws Exception {
        Optional<Path> browser = browser();
        if (browser.isEmpty()) {
            System.err.println("There is no " + PROGRAM + " on the PATH.");
            System.exit(3);
        }
        SiteCheck check = new SiteCheck(Path.of(arguments[0]).toRealPath());
        List<String> faults = check.run(browser.get());
        faults.forEach(System.err::println);
        System.out.println(check.pages().size() + " pages opened, " + faults.size() + " faults");
        System.exit(faults.isEmpty() ? 0 : 1);
    }

    private static Optional<Path> browser() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(directory -> Path.of(directory, PROGRAM))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private List<String> run(Path browser) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        Path profile = Files.createTempDirectory("site-check");
        // Nothing but this server can be reached: a page that needs the network shows it.
        Process process = new ProcessBuilder(
                        browser.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
                        "--remote-debugging-port=0",
                        "--window-size=1400,1000",
                        "--user-data-dir=" + profile,
                        "http://127.0.0.1:" + server.getAddress().getPort() + OWN)
                .redirectErrorStream(true)
                .redirectOutput(profile.resolve("output").toFile())
                .start();
        process.onExit().thenRun(() -> report.completeExceptionally(new IOException("Chromium ended early.")));
        try {
            return Stream.concat(
                            awaitReport().lines(),
                            missing.stream().map(path -> path + " is wanted by a page and is not there"))
                    .toList();
        } finally {
            process.destroy();
            process.waitFor();
            server.stop(0);
            deleteWhenQuiet(profile);
        }
    }

    private String awaitReport() throws Exception {
        while (true) {
            try {
                return report.get(1, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                if (System.nanoTime() - lastRequestNs > PATIENCE.toNanos()) {
                    throw new IOException(
                            "Chromium has asked for nothing for " + PATIENCE.toMinutes() + " minutes.", e);
                }
            }
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        lastRequestNs = System.nanoTime();
        String path = exchange.getRequestURI().getPath();
        if (path.equals(OWN + "report")) {
            report.complete(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            send(exchange, 200, "text/plain", new byte[0]);
        } else if (path.equals(OWN)) {
            String list = pages().stream().collect(Collectors.joining("\",\n\"", "[\"", "\"]"));
            String script = Files.readString(Path.of("dev/pages/check.js"));
            String page = "<!DOCTYPE html><link rel=icon href=data:,><body><script>const PAGES = " + list + ";\n"
                    + script + "</script>";
            send(exchange, 200, "text/html; charset=utf-8", page.getBytes(StandardCharsets.UTF_8));
        } else {
            sendFile(exchange, path);
        }
    }

    private void sendFile(HttpExchange exchange, String path) throws IOException {
        Path file = site.resolve(path.substring(1)).normalize();
        if (file.startsWith(site) && Files.isRegularFile(file)) {
            String name = file.toString();
            String type = name.endsWith(".html")
                    ? "text/html; charset=utf-8"
                    : name.endsWith(".svg") ? "image/svg+xml" : name.endsWith(".js") ? "text/javascript" : null;
            send(
                    exchange,
                    200,
                    type == null ? String.valueOf(Files.probeContentType(file)) : type,
                    Files.readAllBytes(file));
        } else {
            missing.add(path.substring(1));
            send(exchange, 404, "text/plain", new byte[0]);
        }
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private List<String> pages() throws IOException {
        try (Stream<Path> files = Files.walk(site)) {
            return files.map(file -> site.relativize(file).toString())
                    .filter(file -> file.endsWith(".html"))
                    .sorted()
                    .toList();
        }
    }

    /** Helpers of a browser that has ended may still write for a moment, into what is deleted here. */
    private static void deleteWhenQuiet(Path directory) throws Exception {
        long start = System.nanoTime();
        while (Files.exists(directory)) {
            try {
                delete(directory);
            } catch (DirectoryNotEmptyException | UncheckedIOException e) {
                if (System.nanoTime() - start > PATIENCE.toNanos()) {
                    throw e;
                }
                Thread.sleep(100);
            }
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
