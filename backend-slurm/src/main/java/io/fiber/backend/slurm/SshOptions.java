// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.spi.Environment;
import io.fiber.spi.OptionKey;
import io.fiber.spi.OptionType;
import io.fiber.spi.Options;
import io.fiber.spi.backend.BackendException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the user said of the login node. Immutable.
 *
 * @param host a name, an address, or a {@code Host} of the configuration
 * @param user account on the login node
 * @param port of its sshd
 * @param key the private key to use before all others
 * @param knownHosts the file of host keys that are trusted
 * @param config the configuration of OpenSSH that counts instead of the usual ones
 */
record SshOptions(
        String host,
        Optional<String> user,
        OptionalInt port,
        Optional<Path> key,
        Optional<Path> knownHosts,
        Optional<Path> config) {

    static final String HOST = "ssh-host";
    static final String USER = "ssh-user";
    static final String PORT = "ssh-port";
    static final String KEY = "ssh-key";
    static final String KNOWN_HOSTS = "ssh-known-hosts";
    static final String CONFIG = "ssh-config";

    private static final int GREATEST_PORT = 65535;

    static List<OptionKey> keys() {
        return List.of(
                OptionKey.of(
                        HOST,
                        OptionType.TEXT,
                        "none: Slurm's programs run on this host",
                        "login node to reach by SSH: a name, an address, or a Host of ssh-config"),
                OptionKey.of(
                        USER, OptionType.TEXT, "that of ssh-config, or this user's name", "account on the login node"),
                OptionKey.of(PORT, OptionType.INTEGER, "that of ssh-config, or 22", "port of its sshd"),
                OptionKey.of(KEY, OptionType.PATH, "those that ssh finds", "the private key that is offered first"),
                OptionKey.of(
                        KNOWN_HOSTS,
                        OptionType.PATH,
                        "that of ssh-config, or ~/.ssh/known_hosts",
                        "the file of trusted host keys"),
                OptionKey.of(
                        CONFIG, OptionType.PATH, "those that ssh reads", "configuration of ssh, as in its option -F"));
    }

    /** Tells whether a login node was named in the environment, where options that were set in code are not seen. */
    static boolean isNamedIn(Environment environment) {
        return environment.variable("FIBER_SLURM_SSH_HOST").isPresent()
                || environment.property("fiber.slurm." + HOST).isPresent();
    }

    /**
     * Reads options; empty when Slurm's programs shall run on this host.
     *
     * @throws BackendException when a value cannot be used
     */
    static Optional<SshOptions> of(Options options) {
        Optional<String> host = options.text(HOST).map(String::strip);
        if (host.isEmpty()) {
            refuseWithoutHost(options);
            return Optional.empty();
        }
        return Optional.of(new SshOptions(
                checkedHost(host.get()),
                options.text(USER).map(String::strip),
                checkedPort(options),
                existing(options, KEY),
                existing(options, KNOWN_HOSTS),
                existing(options, CONFIG)));
    }

    private static void refuseWithoutHost(Options options) {
        for (OptionKey key : keys()) {
            if (options.text(key.name()).isPresent()) {
                throw new BackendException("FBR-158 Option 'fiber.slurm." + key.name() + "' is '"
                        + options.text(key.name()).orElseThrow()
                        + "', but no login node is named. Set fiber.slurm.ssh-host, or leave this option out.");
            }
        }
    }

    /** A name that begins like an option, or holds a blank, is a slip; user and port have options of their own. */
    private static String checkedHost(String host) {
        if (host.startsWith("-") || host.contains("@") || host.chars().anyMatch(Character::isWhitespace)) {
            throw new BackendException("FBR-158 Option 'fiber.slurm.ssh-host' is '" + host
                    + "'; expected the name of a host or of a Host in ssh-config."
                    + " The user is set by fiber.slurm.ssh-user, the port by fiber.slurm.ssh-port.");
        }
        return host;
    }

    private static OptionalInt checkedPort(Options options) {
        if (options.integer(PORT).isEmpty()) {
            return OptionalInt.empty();
        }
        long port = options.integer(PORT).getAsLong();
        if (port < 1 || port > GREATEST_PORT) {
            throw new BackendException(
                    "FBR-158 Option 'fiber.slurm.ssh-port' is " + port + "; expected a port from 1 to 65535.");
        }
        return OptionalInt.of((int) port);
    }

    private static Optional<Path> existing(Options options, String name) {
        Optional<Path> file = options.path(name).map(Path::toAbsolutePath);
        file.ifPresent(path -> {
            if (!Files.isReadable(path)) {
                throw new BackendException("FBR-158 Option 'fiber.slurm." + name + "' names the file '" + path
                        + "', which this user cannot read. Correct the path, or leave the option out.");
            }
        });
        return file;
    }

    /** Returns the options of ssh that all hosts on the way have in common. */
    List<String> shared() {
        return config.map(file -> List.of("-F", file.toString())).orElse(List.of());
    }

    /** Returns the options of ssh that lead to the login node. */
    List<String> words() {
        List<String> words = new ArrayList<>(shared());
        user.ifPresent(name -> words.addAll(List.of("-l", name)));
        port.ifPresent(number -> words.addAll(List.of("-p", String.valueOf(number))));
        key.ifPresent(file -> words.addAll(List.of("-o", "IdentityFile=\"" + escaped(file) + "\"")));
        knownHosts.ifPresent(file -> words.addAll(List.of("-o", "UserKnownHostsFile=\"" + escaped(file) + "\"")));
        return words;
    }

    /** Returns a path as ssh takes it where a percent sign begins something else. */
    static String escaped(Path file) {
        return file.toString().replace("%", "%%");
    }
}
