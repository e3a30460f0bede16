// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.transport;

import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.TransportProvider;
import io.fiber.tck.host.FixtureDirectory;
import io.fiber.tck.host.JavaCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A second JVM that dials an address and sends every frame back. Thread-safe. */
final class PeerProcess implements AutoCloseable {

    private final Process process;
    private final Path directory;

    private PeerProcess(Process process, Path directory) {
        this.process = process;
        this.directory = directory;
    }

    static PeerProcess start(TransportFixture fixture, Address address) throws IOException {
        Class<? extends TransportFixture> peer = fixture.peerFixture().orElseThrow();
        Path directory = Files.createDirectory(fixture.directory().resolve("peer"));
        List<String> jvmOptions = new ArrayList<>(fixture.provider().jvmOptions(TransportProvider.CodePath.CLASS_PATH));
        jvmOptions.add("-Djava.io.tmpdir=" + directory);
        List<String> command = new JavaCommand(EchoPeerMain.class)
                .jvmOptions(jvmOptions)
                .arguments(List.of(peer.getName(), address.text()))
                .words();
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        return new PeerProcess(process, directory);
    }

    String output() {
        try {
            return Files.readString(directory.resolve("log"), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read what the peer's process wrote.", e);
        }
    }

    /** Ends the process with SIGKILL and waits for its end. */
    void kill() {
        process.destroyForcibly();
        try {
            if (process.onExit().get(10, TimeUnit.SECONDS).isAlive()) {
                throw new IllegalStateException("The peer's process " + process.pid() + " lives on.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("The peer's process " + process.pid() + " survived SIGKILL for 10 s.", e);
        }
    }

    /** Kills the process, if it is alive, and does what a session does for a dead one: removes its directories. */
    @Override
    public void close() {
        kill();
        output().lines()
                .filter(line -> line.startsWith(EchoPeerMain.REMOVE))
                .map(line -> Path.of(line.substring(EchoPeerMain.REMOVE.length())))
                .forEach(FixtureDirectory::delete);
        FixtureDirectory.delete(directory);
    }
}
