// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A real registry of the loopback, which writes down each request.
 *
 * @param port where it listens
 * @param log its access log
 * @param process the server
 */
public record Registry(int port, Path log, Process process) implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(200);
    private static final Pattern LISTENING = Pattern.compile("listening on 127\\.0\\.0\\.1:(\\d+)");

    /** Starts one below a directory, by these words in front of its command, which may lead into another network. */
    public static Registry start(Path parent, Optional<Path> passwords, String... place) throws IOException {
        Path directory = Files.createDirectory(parent.resolve("registry"));
        List<String> config = new ArrayList<>(List.of(
                "version: 0.1",
                "storage: {filesystem: {rootdirectory: " + directory.resolve("data") + "}}",
                "http: {addr: '127.0.0.1:0'}"));
        passwords.ifPresent(file -> config.add("auth: {htpasswd: {realm: fiber, path: " + file + "}}"));
        Path file = Files.write(directory.resolve("config.yml"), config);
        Path log = directory.resolve("log");
        List<String> words = new ArrayList<>(List.of(place));
        words.addAll(List.of("docker-registry", "serve", file.toString()));
        assumeTrue(Cli.program("/usr/bin/docker-registry").isPresent(), "there is no docker-registry");
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        await().atMost(LIMIT).until(() -> !process.isAlive() || port(log).isPresent());
        OptionalInt port = port(log);
        assumeTrue(port.isPresent(), "docker-registry does not start here: " + Files.readString(log));
        return new Registry(port.getAsInt(), log, process);
    }

    private static OptionalInt port(Path log) throws IOException {
        Matcher listening = LISTENING.matcher(Files.readString(log));
        return listening.find() ? OptionalInt.of(Integer.parseInt(listening.group(1))) : OptionalInt.empty();
    }

    /** Returns the name of a repository of this registry. */
    public String repository(String name) {
        return "localhost:" + port + "/" + name;
    }

    /** Returns how many blobs were written until now: layers, and the description of each image. */
    public long blobsWritten() throws IOException {
        try (var lines = Files.lines(log)) {
            return lines.filter(line -> line.contains("\"PUT /v2/") && line.contains("/blobs/uploads/"))
                    .count();
        }
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
