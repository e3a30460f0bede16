// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import static org.assertj.core.api.Assumptions.assumeThat;

import io.fiber.backend.slurm.Cluster;
import io.fiber.backend.support.batch.LocalCommands;
import io.fiber.spi.Environment;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.awaitility.Awaitility;

/** An sshd of this user alone, with the settings that a test wants. */
public final class OwnSshd implements TestSshd {

    private static final int MOST_ATTEMPTS = 5;
    private static final Duration LIMIT = Duration.ofMinutes(4);

    private final Path directory;
    private final int port;
    private final Process process;

    private OwnSshd(Path directory, int port, Process process) {
        this.directory = directory;
        this.port = port;
        this.process = process;
    }

    /** Skips a test on a host that has not what it needs. */
    public static void assumePossible() {
        for (String program : List.of("ssh-keygen")) {
            assumeThat(LocalCommands.find(program, Environment.system()))
                    .as(program)
                    .isPresent();
        }
        assumeThat(Path.of("/usr/sbin/sshd")).exists();
        if (System.getProperty("user.name").equals("root")) {
            assumeThat(Path.of("/run/sshd"))
                    .as("without which root cannot start it")
                    .exists();
        }
    }

    /** Starts one; its files are in a directory that is not there yet. */
    public static OwnSshd start(Path directory, List<String> settings) throws IOException {
        Files.createDirectory(directory);
        String key = directory.resolve("key").toString();
        Cluster.run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key);
        for (int attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
            OwnSshd sshd = attempt(directory, settings);
            // Somebody else may have taken the port that was free.
            if (sshd.listens()) {
                return sshd;
            }
        }
        throw new IOException("sshd does not start: " + Files.readString(directory.resolve("log")));
    }

    private static OwnSshd attempt(Path directory, List<String> settings) throws IOException {
        String key = directory.resolve("key").toString();
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Path config = directory.resolve("sshd_config");
        Files.write(
                config,
                List.of(
                        "ListenAddress 127.0.0.1:" + port,
                        "HostKey " + key,
                        "AuthorizedKeysFile " + key + ".pub",
                        "PidFile none",
                        "StrictModes no",
                        "UsePAM no"));
        // Above this level, bash reads no start-up file of the account: one may leave a lock if its connection is
        // killed. A home of the test has the files that it needs.
        boolean hasHome = settings.stream().anyMatch(setting -> setting.startsWith("SetEnv HOME="));
        String level = hasHome ? "" : " SHLVL=1";
        List<String> lines = new ArrayList<>();
        settings.forEach(setting -> lines.add(setting.startsWith("SetEnv ") ? setting + level : setting));
        if (!hasHome) {
            // Only the first line of these counts.
            lines.add("SetEnv" + level);
        }
        Files.write(config, lines, StandardOpenOption.APPEND);
        String publicKey = Files.readString(directory.resolve("key.pub"));
        Files.writeString(directory.resolve("known_hosts"), "[127.0.0.1]:" + port + " " + publicKey);
        Process process = new ProcessBuilder("/usr/sbin/sshd", "-D", "-e", "-f", config.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        return new OwnSshd(directory, port, process);
    }

    private boolean listens() {
        Path log = directory.resolve("log");
        Awaitility.await()
                .atMost(LIMIT)
                .until(() -> !process.isAlive() || Files.readString(log).contains("listening on"));
        return process.isAlive();
    }

    @Override
    public Map<String, String> options() {
        Map<String, String> options = new TreeMap<>();
        options.put(SshOptions.HOST, "127.0.0.1");
        options.put(SshOptions.PORT, String.valueOf(port));
        options.put(SshOptions.KEY, directory.resolve("key").toString());
        options.put(SshOptions.KNOWN_HOSTS, directory.resolve("known_hosts").toString());
        return options;
    }

    @Override
    public String block(String host) {
        return "Host " + host + "\n    HostName 127.0.0.1\n    Port " + port + "\n    IdentityFile "
                + directory.resolve("key") + "\n    UserKnownHostsFile " + directory.resolve("known_hosts") + "\n";
    }

    @Override
    public Path key() {
        return directory.resolve("key");
    }

    @Override
    public long logins() throws IOException {
        return Files.readAllLines(directory.resolve("log")).stream()
                .filter(line -> line.contains("Accepted publickey"))
                .count();
    }

    @Override
    public void breakConnections() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
    }

    /** Tells whether no client has a connection. */
    boolean isIdle() {
        return process.descendants().findAny().isEmpty();
    }

    @Override
    public void close() {
        breakConnections();
        process.destroy();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
