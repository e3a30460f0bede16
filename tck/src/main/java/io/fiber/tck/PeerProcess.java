// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck;

import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.TransportProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A second JVM that dials an address and sends every frame back. Thread-safe. */
final class PeerProcess implements AutoCloseable {

    private final Process process;
    private final Path log;

    private PeerProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    static PeerProcess start(TransportFixture fixture, Address address) throws IOException {
        Class<? extends TransportFixture> peer = fixture.peerFixture().orElseThrow();
        Path log = fixture.directory().resolve("peer.log");
        List<String> command = new JavaCommand(EchoPeerMain.class)
                .jvmOptions(fixture.provider().jvmOptions(TransportProvider.CodePath.CLASS_PATH))
                .arguments(List.of(peer.getName(), address.text()))
                .words();
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new PeerProcess(process, log);
    }

    String output() {
        try {
            return Files.readString(log, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read what the peer's process wrote.", e);
        }
    }

    /** Ends the process by SIGKILL and waits for its end. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            throw new IllegalStateException("The peer's process " + process.pid() + " survived SIGKILL for 10 s.");
        }
    }

    @Override
    public void close() throws InterruptedException, IOException {
        kill();
        Files.deleteIfExists(log);
    }
}
