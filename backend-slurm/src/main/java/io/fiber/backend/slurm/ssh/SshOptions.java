// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import io.fiber.backend.support.batch.BatchScript;
import io.fiber.spi.Environment;
import io.fiber.spi.OptionKey;
import io.fiber.spi.OptionType;
import io.fiber.spi.Options;
import io.fiber.spi.backend.BackendException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the user said about the login node. Immutable.
 *
 * @param client which client of SSH reaches it
 * @param host a name, an address, or a {@code Host} of the configuration
 * @param user the account there
 * @param port of its sshd
 * @param key the private key to use before all others
 * @param knownHosts the file of host keys that are trusted
 * @param config the configuration of OpenSSH that counts instead of the usual ones
 */
public record SshOptions(
        Client client,
        String host,
        Optional<String> user,
        OptionalInt port,
        Optional<Path> key,
        Optional<Path> knownHosts,
        Optional<Path> config) {

    public static final String CLIENT = "ssh";
    public static final String HOST = "ssh-host";
    public static final String USER = "ssh-user";
    public static final String PORT = "ssh-port";
    public static final String KEY = "ssh-key";
    public static final String KNOWN_HOSTS = "ssh-known-hosts";
    public static final String CONFIG = "ssh-config";

    private static final int GREATEST_PORT = 65535;

    /** Which client of SSH is used. */
    enum Client {
        /** The library, unless the configuration has a directive that only the program follows. */
        AUTO,
        /** The library jsch. */
        JSCH,
        /** The program {@code ssh}. */
        PROGRAM
    }

    /** Returns all options. */
    public static List<OptionKey> keys() {
        return List.of(
                OptionKey.of(
                        CLIENT,
                        OptionType.TEXT,
                        "auto",
                        "client of SSH: jsch, program (OpenSSH's ssh), or auto: jsch unless ssh-config needs the program"),
                OptionKey.of(
                        HOST,
                        OptionType.TEXT,
                        "none: Slurm's programs run on this host",
                        "login node that is reached by SSH: a name, an address, or a Host of ssh-config"),
                OptionKey.of(USER, OptionType.TEXT, "that of ssh-config, or this user's name", "the account there"),
                OptionKey.of(PORT, OptionType.INTEGER, "that of ssh-config, or 22", "the port of its sshd"),
                OptionKey.of(KEY, OptionType.PATH, "those that ssh finds", "the private key that is offered first"),
                OptionKey.of(
                        KNOWN_HOSTS,
                        OptionType.PATH,
                        "that of ssh-config, or ~/.ssh/known_hosts",
                        "the file of trusted host keys"),
                OptionKey.of(
                        CONFIG,
                        OptionType.PATH,
                        "those that ssh reads",
                        "the configuration of ssh, as its option -F has it"));
    }

    /** Tells whether a login node was named in the environment, where options that were set in code are not seen. */
    public static boolean isNamedIn(Environment environment) {
        return environment.variable("FIBER_SLURM_SSH_HOST").isPresent()
                || environment.property("fiber.slurm." + HOST).isPresent();
    }

    /**
     * Reads options; empty when Slurm's programs shall run on this host.
     *
     * @throws BackendException when a value cannot be used
     */
    public static Optional<SshOptions> of(Options options) {
        Optional<String> host = options.text(HOST).map(String::strip);
        if (host.isEmpty()) {
            refuseWithoutHost(options);
            return Optional.empty();
        }
        return Optional.of(new SshOptions(
                client(options),
                checkedHost(host.get()),
                options.text(USER).map(String::strip),
                checkedPort(options),
                existing(options, KEY),
                existing(options, KNOWN_HOSTS),
                existing(options, CONFIG)));
    }

    private static Client client(Options options) {
        String text = options.text(CLIENT).orElse("auto").strip();
        return Stream.of(Client.values())
                .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(text))
                .findFirst()
                .orElseThrow(() -> new BackendException("FBR-158 Option 'fiber.slurm." + CLIENT + "' is '" + text
                        + "'; expected auto, jsch or program. The login node is named by fiber.slurm.ssh-host."));
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

    /** Returns what is said about a host on the way to this one. */
    SshOptions ofJump(String name) {
        return new SshOptions(
                client, name, Optional.empty(), OptionalInt.empty(), Optional.empty(), Optional.empty(), config);
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

    /** Returns words as a user would type them. */
    static String said(List<String> words) {
        return words.stream()
                .map(word -> word.matches("[A-Za-z0-9_@%+=:,./-]+") ? word : BatchScript.quoted(word))
                .collect(Collectors.joining(" "));
    }
}
