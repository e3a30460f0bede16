// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static java.util.Objects.requireNonNull;

import io.fiber.backend.slurm.ssh.SshOptions;
import io.fiber.backend.slurm.ssh.SshReaper;
import io.fiber.spi.Options;
import io.fiber.tck.backend.BackendFixture;
import io.fiber.tck.cluster.Gate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A real cluster whose login node is reached by SSH, through a gate that can be shut. */
final class SshFixture extends SlurmFixture {

    /** The variable that names the directory in which {@code dev/slurm/up} puts what belongs to the login node. */
    static final String DIRECTORY = "FIBER_TEST_SLURM_SSH";

    /** The variable that says how names of nodes begin. */
    static final String NODES = "FIBER_TEST_SLURM_NODES";

    private final Gate gate;

    SshFixture() {
        try {
            String text = Files.readString(directoryOfLogin().resolve("config"));
            gate = gateBeforeLogin(text);
            Files.writeString(config(), configThrough(gate, text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path directoryOfLogin() {
        return Path.of(requireNonNull(System.getenv(DIRECTORY), DIRECTORY));
    }

    /** Returns the value of a line of a configuration. */
    static String setting(String text, String key) {
        return text.lines()
                .map(String::strip)
                .filter(line -> line.startsWith(key + " "))
                .map(line -> line.substring(key.length() + 1))
                .findFirst()
                .orElseThrow();
    }

    /** Opens a gate on this host, in the network that leads to the login node of a configuration. */
    static Gate gateBeforeLogin(String text) throws IOException {
        InetSocketAddress login =
                new InetSocketAddress(setting(text, "HostName"), Integer.parseInt(setting(text, "Port")));
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(login);
            return Gate.before(socket.getLocalAddress(), login);
        }
    }

    /** Returns a configuration with the way through a gate; the key is that of the host behind it. */
    static String configThrough(Gate gate, String text) {
        String host = setting(text, "HostName");
        String port = setting(text, "Port");
        InetSocketAddress door = gate.address();
        return text.replace("HostName " + host, "HostName " + door.getAddress().getHostAddress())
                .replace("Port " + port, "Port " + door.getPort() + "\n    HostKeyAlias [" + host + "]:" + port);
    }

    private Path config() {
        return directory().resolve("ssh-config");
    }

    @Override
    public Options options() {
        return options(config());
    }

    /** Returns the options that lead to the login node of a configuration, and nothing else. */
    static Map<String, String> login(Path config) {
        return Map.of(SshOptions.HOST, "login", SshOptions.CONFIG, config.toString());
    }

    static Options options(Path config) {
        Map<String, String> all = new TreeMap<>(login(config));
        // One for all tests of a JVM, so that the class path is sent once.
        all.put(
                SiteOptions.DIRECTORY,
                Path.of(System.getProperty("java.io.tmpdir"), "shared-over-ssh").toString());
        all.put("partition", PREEMPTED_WITH_NOTICE);
        return options(all);
    }

    /** Those of the login node's shell come along. */
    @Override
    public Variables variables() {
        return Variables.STAY;
    }

    @Override
    public Optional<Class<? extends BackendFixture>> masterFixture() {
        return Optional.of(SshMasterFixture.class);
    }

    @Override
    public Optional<Outage> outage() {
        return Optional.of(gate.outage());
    }

    /** What a close could not do is done by a process that needs the gate. */
    @Override
    public void close() {
        gate.open();
        ProcessHandle.current()
                .children()
                .filter(child -> child.info().commandLine().orElse("").contains(SshReaper.NAME))
                .forEach(child -> child.onExit().join());
        gate.close();
        super.close();
    }
}
