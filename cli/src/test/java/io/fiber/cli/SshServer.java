// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** An sshd of this user alone. Nobody needs to log in: what is asked comes before that. */
record SshServer(Path directory, int port, Process process) implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(200);

    static SshServer start(Path parent) throws IOException, InterruptedException {
        Path directory = Files.createDirectory(parent.resolve("ssh"));
        makeKey(directory.resolve("key"));
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Path config = directory.resolve("sshd_config");
        Files.write(
                config,
                List.of(
                        "ListenAddress 127.0.0.1:" + port,
                        "HostKey " + directory.resolve("key"),
                        "PidFile none",
                        "StrictModes no",
                        "UsePAM no"));
        Path log = directory.resolve("log");
        Process process = new ProcessBuilder("/usr/sbin/sshd", "-D", "-e", "-f", config.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        await().atMost(LIMIT)
                .until(() -> !process.isAlive() || Files.readString(log).contains("listening on"));
        assumeTrue(process.isAlive(), "sshd does not start here: " + Files.readString(log));
        return new SshServer(directory, port, process);
    }

    /** Returns a file that knows this server by another server's key. */
    Path knownHostsOfAnother() throws IOException, InterruptedException {
        Path other = directory.resolve("other");
        makeKey(other);
        return Files.writeString(
                directory.resolve("known_hosts"),
                "[127.0.0.1]:" + port + " " + Files.readString(directory.resolve("other.pub")));
    }

    private static void makeKey(Path file) throws IOException, InterruptedException {
        int code = new ProcessBuilder("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file.toString())
                .inheritIO()
                .start()
                .waitFor();
        assumeTrue(code == 0, "ssh-keygen makes no key here");
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
