// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.fault;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A network of hosts inside one {@link Sandbox}: this process and others that are started on {@linkplain #host hosts},
 * all on one switch. A host can be disconnected and connected again. Not thread-safe.
 *
 * <p>Data that is sent over a cut is lost in both directions without an error, as if a switch had lost its power.
 */
public final class PrivateNetwork {

    private static final String SWITCH = "fault0";
    /**
     * A switch without an address of its own has the least one of its ports. When that port leaves, it takes the
     * address with it, and what its host sends still arrives.
     */
    private static final String SWITCH_ADDRESS = "02:46:41:55:4c:54";
    /** A switch that is never turned on. A port without any switch would be an interface of this host. */
    private static final String DEAD_SWITCH = "fault1";

    private static final Path NAMES = Path.of("/run/netns");
    private static final int GREATEST_HOSTS = 200;
    private static final String IPTABLES = "/usr/sbin/iptables";

    private final List<Host> hosts = new ArrayList<>();

    /**
     * Creates a network with only this process, at {@link #address()}.
     *
     * @throws IllegalStateException if this process does not run in a {@link Sandbox}
     */
    public PrivateNetwork() {
        Command.run("ip", "link", "add", SWITCH, "address", SWITCH_ADDRESS, "type", "bridge");
        Command.run("ip", "link", "add", DEAD_SWITCH, "type", "bridge");
        Command.run("ip", "link", "set", SWITCH, "up");
        Command.run("ip", "address", "add", "10.77.0.1/24", "dev", SWITCH);
    }

    /** Returns the address of this process. */
    public InetAddress address() {
        return addressOf(1);
    }

    /**
     * Adds a host.
     *
     * @throws IllegalStateException if there are 200
     */
    public Host host() {
        if (hosts.size() == GREATEST_HOSTS) {
            throw new IllegalStateException("there are " + GREATEST_HOSTS + " hosts, the maximum");
        }
        Host host = new Host(hosts.size() + 2);
        hosts.add(host);
        return host;
    }

    /**
     * Returns why {@link #dropUdp} cannot work on this machine; empty if it can. Blocks for some milliseconds.
     *
     * @return the reason, for the message of a skipped test
     */
    public static Optional<String> obstacleToDropUdp() {
        Command.Outcome outcome = Command.tried(List.of(IPTABLES, "--version"));
        return outcome.exitCode() == 0
                ? Optional.empty()
                : Optional.of("iptables does not run on this machine: " + outcome.output());
    }

    /**
     * Drops every datagram that arrives at this process or at a host that was added, as the firewalls of some sites do.
     * Needs {@code iptables}: see {@link #obstacleToDropUdp}.
     */
    public void dropUdp() {
        List<String> rule = List.of(IPTABLES, "-A", "INPUT", "-p", "udp", "-j", "DROP");
        Command.run(rule.toArray(new String[0]));
        hosts.forEach(host -> Command.run(host.command(rule).toArray(new String[0])));
    }

    private static InetAddress addressOf(int number) {
        try {
            return InetAddress.getByAddress(new byte[] {10, 77, 0, (byte) number});
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    /** One host of a network. */
    public static final class Host {

        private final int number;
        private final String name;
        private volatile boolean cut;

        private Host(int number) {
            this.number = number;
            this.name = "host" + number;
            Command.run("ip", "netns", "add", name);
            Command.run("ip", "link", "add", port(), "type", "veth", "peer", "name", "eth0", "netns", name);
            Command.run("ip", "-n", name, "address", "add", "10.77.0." + number + "/24", "dev", "eth0");
            Command.run("ip", "-n", name, "link", "set", "eth0", "up");
            Command.run("ip", "-n", name, "link", "set", "lo", "up");
            Command.run("ip", "link", "set", port(), "master", SWITCH, "up");
        }

        private String port() {
            return "port" + number;
        }

        /** Returns its address. */
        public InetAddress address() {
            return addressOf(number);
        }

        /**
         * Returns a command that runs another one on this host, under the same pid.
         *
         * @param words the command, its program first
         */
        public List<String> command(List<String> words) {
            List<String> command = new ArrayList<>(List.of("nsenter", "--net=" + NAMES.resolve(name), "--"));
            command.addAll(words);
            return command;
        }

        /** Returns whether a process runs on this host. */
        public boolean isHomeOf(long pid) {
            try {
                return Files.isSameFile(Path.of("/proc/" + pid + "/ns/net"), NAMES.resolve(name));
            } catch (IOException e) {
                return false;
            }
        }

        /** Disconnects the host. */
        public void cut() {
            cut = true;
            Command.run("ip", "link", "set", port(), "master", DEAD_SWITCH);
        }

        /** Connects it to the network again. */
        public void join() {
            Command.run("ip", "link", "set", port(), "master", SWITCH);
            cut = false;
        }

        /** Returns whether it is disconnected. */
        public boolean isCut() {
            return cut;
        }
    }
}
