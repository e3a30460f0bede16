// SPDX-License-Identifier: Apache-2.0
package io.fiber.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fiber.page.LoopbackHttp.HttpAnswer;
import io.fiber.page.LoopbackHttp.HttpRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;

/**
 * Serves the page to clients that know its secret path. {@code /SECRET/} is the page, which requests {@code
 * /SECRET/state} and {@code /SECRET/logs/POOL}. Any other path is answered with 403.
 */
final class PageServer implements AutoCloseable {

    static final int GREATEST_PORT = 0xffff;

    private static final int SECRET_BYTES = 16;
    private static final String HTML = "text/html; charset=utf-8";
    private static final String JSON = "application/json";

    private static final Map<String, String> FILES = Map.of(
            "page.html", HTML, "page.css", "text/css; charset=utf-8", "page.js", "text/javascript; charset=utf-8");

    private final byte[] secret;
    private final PageState state;
    private final LoopbackHttp http;

    PageServer(int port, PageState state) throws IOException {
        this(port, LoopbackHttp.Limits.DEFAULT, state);
    }

    PageServer(int port, LoopbackHttp.Limits limits, PageState state) throws IOException {
        this.state = state;
        byte[] random = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(random);
        this.secret = Base64.getUrlEncoder().withoutPadding().encode(random);
        this.http = new LoopbackHttp(port, limits, this::answer);
    }

    URI address() {
        InetSocketAddress at = http.address();
        return URI.create("http://" + at.getAddress().getHostAddress() + ":" + at.getPort() + "/"
                + new String(secret, UTF_8) + "/");
    }

    private HttpAnswer answer(HttpRequest request) {
        String[] path = request.path().split("/", 3);
        if (path.length < 3 || !MessageDigest.isEqual(path[1].getBytes(UTF_8), secret)) {
            return refusal(403, "This is not the page's address. The program that shows it has printed it.");
        }
        return request.method().equals("GET") ? answer(path[2]) : refusal(405, "The page is read-only.");
    }

    private HttpAnswer answer(String what) {
        String file = what.isEmpty() ? "page.html" : what;
        String type = FILES.get(file);
        if (type != null) {
            return new HttpAnswer(200, type, content(file));
        } else if (what.equals("state")) {
            return new HttpAnswer(200, JSON, json(state.picture()));
        } else if (what.startsWith("logs/")) {
            return new HttpAnswer(200, JSON, json(state.logs(what.substring("logs/".length()))));
        }
        return refusal(404, "There is nothing here.");
    }

    private static byte[] content(String file) {
        try (InputStream content = Objects.requireNonNull(PageServer.class.getResourceAsStream(file), file)) {
            return content.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] json(Object told) {
        return Json.of(told).getBytes(UTF_8);
    }

    private static HttpAnswer refusal(int status, String why) {
        return new HttpAnswer(status, "text/plain; charset=utf-8", (why + "\n").getBytes(UTF_8));
    }

    @Override
    public void close() {
        http.close();
    }
}
