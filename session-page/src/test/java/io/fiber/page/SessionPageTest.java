// SPDX-License-Identifier: Apache-2.0
package io.fiber.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.RemoteTaskException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class SessionPageTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    Path directory;

    private static HttpResponse<String> get(URI address) {
        return send(HttpRequest.newBuilder(address).build());
    }

    private static HttpResponse<String> send(HttpRequest request) {
        try {
            return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static JsonNode json(URI address) {
        try {
            return new ObjectMapper().readTree(get(address).body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int shout(int number) {
        System.out.println("number " + number);
        return number;
    }

    @Test
    void stateSaysWhatPoolsHaveDone() throws IOException {
        System.setProperty("fiber.cds", "false");
        try (Fiber fiber = Fiber.open();
                SessionPage page = SessionPage.open();
                Pool pool = page.show(fiber.poolBuilder(2).name("shown").build())) {
            System.out.println("Watch it at " + page.address());
            pool.awaitReady();
            pool.map(SessionPageTest::shout, IntStream.range(0, 6));

            JsonNode shown = json(page.address().resolve("state")).get("pools").get(0);
            assertThat(shown.get("name").asText()).isEqualTo("shown");
            assertThat(shown.get("state").asText()).isEqualTo("RUNNING");
            assertThat(shown.get("counted").get("tasksDone").asInt()).isEqualTo(6);
            assertThat(shown.get("tasksWaiting").asInt()).isZero();
            assertThat(shown.get("workers")).hasSize(2).allSatisfy(worker -> {
                assertThat(worker.get("state").asText()).isEqualTo("READY");
                assertThat(worker.get("host").asText()).isNotEmpty();
            });
            await().atMost(LIMIT).until(() -> tasksOf(page.address()) == 6);
            await().atMost(LIMIT)
                    .until(() -> json(page.address().resolve("logs/shown"))
                            .toString()
                            .contains("number 5"));
            assertThat(json(page.address().resolve("logs/unknown"))).isEmpty();
            await().atMost(LIMIT).until(() -> answersOf(page.address()) == 6);
        } finally {
            System.clearProperty("fiber.cds");
        }
    }

    private static int inverse(int number) {
        return 12 / number;
    }

    @Test
    void timelineSaysHowManyTasksOfAChunkHaveFailed() throws IOException {
        try (Fiber fiber = Fiber.builder().set("fiber.cds", "false").open();
                SessionPage page = SessionPage.open();
                Pool pool = page.show(fiber.poolBuilder(1).name("shown").build())) {
            assertThatThrownBy(() -> pool.with(CallOptions.defaults().chunkSize(4))
                            .map(SessionPageTest::inverse, List.of(1, 2, 0, 3)))
                    .isInstanceOf(RemoteTaskException.class);
            pool.map(SessionPageTest::inverse, List.of(1, 2));

            await().atMost(LIMIT).until(() -> timeline(page, "tasks") == 6);
            assertThat(timeline(page, "failed")).isEqualTo(1);
        }
    }

    private static int timeline(SessionPage page, String field) {
        JsonNode spans =
                json(page.address().resolve("state")).get("pools").get(0).get("timeline");
        return StreamSupport.stream(spans.spliterator(), false)
                .mapToInt(span -> span.get(field).asInt())
                .sum();
    }

    private static int burn(String go) {
        while (!Files.exists(Path.of(go))) {
            Thread.onSpinWait();
        }
        return 0;
    }

    private static int hold(String go) {
        byte[] held = new byte[100_000_000];
        Arrays.fill(held, (byte) 1);
        await().atMost(LIMIT).until(() -> Files.exists(Path.of(go)));
        return held[17];
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void stateSaysWhatWorkersUseOfTheirHost() throws IOException {
        String go = directory.resolve("go").toString();
        try (Fiber fiber = Fiber.builder().set("fiber.cds", "false").open();
                SessionPage page = SessionPage.open();
                Pool burns = page.show(fiber.poolBuilder(1).name("burns").build());
                Pool holds = page.show(fiber.poolBuilder(1).name("holds").build())) {
            CompletableFuture<Integer> burnt = burns.applyAsync(SessionPageTest::burn, go);
            CompletableFuture<Integer> held = holds.applyAsync(SessionPageTest::hold, go);
            try {
                await().atMost(LIMIT)
                        .until(() -> used(page, 1, "memoryBytes") - used(page, 0, "memoryBytes") > 80_000_000);
                long burntMs = used(page, 0, "cpuMs");
                long heldMs = used(page, 1, "cpuMs");
                await().atMost(LIMIT).untilAsserted(() -> {
                    long burntSinceMs = used(page, 0, "cpuMs") - burntMs;
                    long heldSinceMs = used(page, 1, "cpuMs") - heldMs;
                    assertThat(heldSinceMs).isNotNegative();
                    assertThat(burntSinceMs).isGreaterThan(800).isGreaterThan(2 * heldSinceMs);
                });
            } finally {
                Files.createFile(Path.of(go));
            }
            assertThat(burnt).succeedsWithin(LIMIT);
            assertThat(held).succeedsWithin(LIMIT);
        }
    }

    /** What the page is told of the only worker of a pool; 0 until that has told it. */
    private static long used(SessionPage page, int pool, String what) {
        JsonNode workers =
                json(page.address().resolve("state")).get("pools").get(pool).get("workers");
        return workers.get(0).get(what).asLong();
    }

    /** How many tasks are on the timeline; the recorder tells of them a second later. */
    private static int tasksOf(URI address) {
        int tasks = 0;
        for (JsonNode span : json(address.resolve("state")).get("pools").get(0).get("timeline")) {
            assertThat(span.get("outcome").asText()).isEqualTo("DONE");
            assertThat(span.get("toMs").asLong())
                    .isGreaterThanOrEqualTo(span.get("fromMs").asLong());
            tasks += span.get("tasks").asInt();
        }
        return tasks;
    }

    /** How many tasks were answered in the last minutes; the second that runs does not count yet. */
    private static int answersOf(URI address) {
        JsonNode answers = json(address.resolve("state")).get("pools").get(0).get("answersPerSecond");
        assertThat(answers).hasSize(300);
        return StreamSupport.stream(answers.spliterator(), false)
                .mapToInt(JsonNode::asInt)
                .sum();
    }

    @Test
    void whoDoesNotKnowTheSecretIsToldNothing() throws IOException {
        try (SessionPage page = SessionPage.open()) {
            String port = "http://127.0.0.1:" + page.address().getPort();
            String secret = page.address().getPath().replace("/", "");

            assertThat(secret).hasSizeGreaterThanOrEqualTo(22);
            assertThat(page.toString()).doesNotContain(secret);
            for (String path :
                    List.of("", "/", "/state", "/page.js", "/wrong/state", "/" + secret.substring(1) + "/")) {
                HttpResponse<String> answer = get(URI.create(port + path));
                assertThat(answer.statusCode()).as(path).isEqualTo(403);
                assertThat(answer.body())
                        .isEqualTo("This is not the page's address. The program that shows it has printed it.\n");
            }
            assertThat(get(page.address().resolve("../" + secret + "/")).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void pageCanOnlyBeLookedAt() throws IOException {
        try (SessionPage page = SessionPage.open()) {
            HttpRequest post = HttpRequest.newBuilder(page.address().resolve("state"))
                    .POST(HttpRequest.BodyPublishers.noBody())
                    .build();

            assertThat(send(post).statusCode()).isEqualTo(405);
            assertThat(get(page.address().resolve("SessionPage.class")).statusCode())
                    .isEqualTo(404);
            HttpResponse<String> answer = get(page.address());
            assertThat(answer.body()).contains("<title>Fiber session</title>").doesNotContain("http:", "https:");
            assertThat(answer.headers().firstValue("Content-Security-Policy"))
                    .hasValueSatisfying(policy -> assertThat(policy).startsWith("default-src 'self';"));
            assertThat(answer.headers().firstValue("Referrer-Policy")).hasValue("no-referrer");
        }
    }

    @Test
    void connectionsThatSendNothingBlockNeitherPageNorMaster() throws IOException {
        List<Socket> slow = new ArrayList<>();
        try (SessionPage page = SessionPage.open()) {
            int port = page.address().getPort();
            for (int i = 0; i < 200; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                slow.add(socket);
                socket.getOutputStream().write('G');
            }
            HttpRequest state = HttpRequest.newBuilder(page.address().resolve("state"))
                    .timeout(Duration.ofSeconds(30))
                    .build();

            assertThat(send(state).statusCode()).isEqualTo(200);
            assertThat(slow).filteredOn(socket -> isOpen(socket)).hasSizeLessThanOrEqualTo(32);
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    private static boolean isOpen(Socket socket) {
        try {
            socket.setSoTimeout(1);
            return socket.getInputStream().read() >= 0;
        } catch (SocketTimeoutException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void pageIsGoneWhenItWasClosed() throws IOException {
        SessionPage page = SessionPage.open();
        page.close();
        page.close();

        assertThatThrownBy(() -> get(page.address())).hasCauseInstanceOf(ConnectException.class);
        await().atMost(Duration.ofSeconds(30))
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals("fiber-page")));
    }

    @Test
    void portThatIsTakenIsNamed() throws IOException {
        try (SessionPage page = SessionPage.open()) {
            int port = page.address().getPort();

            assertThatThrownBy(() -> SessionPage.open(port))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("The page cannot listen at port " + port + " of the loopback address: ")
                    .hasMessageEndingWith(". Choose another port, or 0 for any free one.");
            assertThatThrownBy(() -> SessionPage.open(65536))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("port is 65536; expected 1 to 65535, or 0 for any that is free.");
        }
    }
}
