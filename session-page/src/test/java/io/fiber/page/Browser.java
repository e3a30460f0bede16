// SPDX-License-Identifier: Apache-2.0
package io.fiber.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A real Chromium without a screen, driven as the W3C's WebDriver says, by Debian's chromedriver. It reaches loopback only. */
final class Browser implements AutoCloseable {

    private static final String READY = "was started successfully on port ";

    private final HttpClient http = HttpClient.newHttpClient();
    private final ObjectMapper mapper = new ObjectMapper();
    private final Process driver;
    private final URI session;

    Browser(Path profile) {
        try {
            driver = new ProcessBuilder("chromedriver", "--port=0")
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            session = session(profile);
        } catch (RuntimeException e) {
            driver.destroy();
            throw e;
        }
    }

    private URI session(Path profile) {
        try {
            int port = port(driver.inputReader(StandardCharsets.UTF_8));
            List<String> arguments = List.of(
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-dev-shm-usage",
                    "--disable-background-networking",
                    "--disable-component-update",
                    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
                    "--window-size=1100,900",
                    "--user-data-dir=" + profile);
            JsonNode made = post(
                    URI.create("http://127.0.0.1:" + port + "/session"),
                    Map.of(
                            "capabilities",
                            Map.of("alwaysMatch", Map.of("goog:chromeOptions", Map.of("args", arguments)))));
            return URI.create("http://127.0.0.1:" + port + "/session/"
                    + made.get("sessionId").asText());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Tells whether this machine has what it takes. */
    static boolean isThere() {
        return Stream.of(System.getenv("PATH").split(":"))
                .map(directory -> Path.of(directory, "chromedriver"))
                .anyMatch(Files::isExecutable);
    }

    private static int port(BufferedReader output) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.contains(READY)) {
                return Integer.parseInt(
                        line.substring(line.indexOf(READY) + READY.length()).replaceAll("\\D", ""));
            }
        }
        throw new IOException("chromedriver has ended without a port.");
    }

    void open(URI address) {
        post(part("url"), Map.of("url", address.toString()));
    }

    /** Runs a script and returns what it returns. */
    JsonNode run(String script) {
        return post(part("execute/sync"), Map.of("script", script, "args", List.of()));
    }

    /** Returns what a person can read now. */
    String text() {
        return run("return document.body.innerText").asText();
    }

    /** Gives the window another size, in pixels. */
    void resize(int width, int height) {
        post(part("window/rect"), Map.of("width", width, "height", height));
    }

    byte[] screenshot() {
        HttpRequest request = HttpRequest.newBuilder(part("screenshot")).build();
        return Base64.getDecoder().decode(value(request).asText());
    }

    private URI part(String what) {
        return URI.create(session + "/" + what);
    }

    private JsonNode post(URI address, Map<String, ?> body) {
        try {
            return value(HttpRequest.newBuilder(address)
                    .POST(HttpRequest.BodyPublishers.ofByteArray(mapper.writeValueAsBytes(body)))
                    .build());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private JsonNode value(HttpRequest request) {
        try {
            HttpResponse<byte[]> answer = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
            JsonNode value = mapper.readTree(answer.body()).get("value");
            if (answer.statusCode() != 200) {
                throw new IllegalStateException(value.toString());
            }
            return value;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            value(HttpRequest.newBuilder(session).DELETE().build());
        } finally {
            driver.destroy();
        }
    }
}
