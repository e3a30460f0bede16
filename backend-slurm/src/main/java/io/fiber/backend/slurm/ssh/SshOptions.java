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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.stream.Collectors;

/**
 * What the user said about the login node. Immutable.
 *
 * @param texts of the options that are set, by their names; paths are absolute
 */
public record SshOptions(Map<String, String> texts) {

    public static final String CLIENT = "ssh";
    public static final String HOST = "ssh-host";
    public static final String USER = "ssh-user";
    public static final String PORT = "ssh-port";
    public static final String KEY = "ssh-key";
    public static final String KNOWN_HOSTS = "ssh-known-hosts";
    public static final String CONFIG = "ssh-config";

    private static final int GREATEST_PORT = 65535;

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
        Map<String, String> texts = new TreeMap<>();
        for (OptionKey key : keys()) {
            (key.type() == OptionType.PATH
                            ? existing(options, key.name())
                            : options.text(key.name()).map(String::strip))
                    .ifPresent(text -> texts.put(key.name(), text));
        }
        SshOptions all = new SshOptions(texts);
        all.check();
        return Optional.of(all);
    }

    private void check() {
        // A name that begins like an option, or holds a blank, is a slip; user and port have options of their own.
        if (host().startsWith("-") || host().contains("@") || host().chars().anyMatch(Character::isWhitespace)) {
            throw new BackendException("FBR-158 Option 'fiber.slurm.ssh-host' is '" + host()
                    + "'; expected the name of a host or of a Host in ssh-config."
                    + " The user is set by fiber.slurm.ssh-user, the port by fiber.slurm.ssh-port.");
        }
        text(PORT)
                .map(Long::valueOf)
                .filter(port -> port < 1 || port > GREATEST_PORT)
                .ifPresent(port -> {
                    throw new BackendException(
                            "FBR-158 Option 'fiber.slurm.ssh-port' is " + port + "; expected a port from 1 to 65535.");
                });
        String client = text(CLIENT).orElse("auto");
        if (!Set.of("auto", "jsch", "program").contains(client)) {
            throw new BackendException("FBR-158 Option 'fiber.slurm." + CLIENT + "' is '" + client
                    + "'; expected auto, jsch or program. The login node is named by fiber.slurm.ssh-host.");
        }
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

    private static Optional<String> existing(Options options, String name) {
        Optional<Path> file = options.path(name).map(Path::toAbsolutePath);
        file.ifPresent(path -> {
            if (!Files.isReadable(path)) {
                throw new BackendException("FBR-158 Option 'fiber.slurm." + name + "' names the file '" + path
                        + "', which this user cannot read. Correct the path, or leave the option out.");
            }
        });
        return file.map(Path::toString);
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(texts.get(name));
    }

    /** Returns a name, an address, or a {@code Host} of the configuration. */
    String host() {
        return text(HOST).orElseThrow();
    }

    /** Returns whether this client of SSH was asked for. */
    boolean isBy(String client) {
        return text(CLIENT).orElse("auto").equals(client);
    }

    /** Returns what is said about a host of ProxyJump, as groups: its user, name and port. */
    SshOptions jump(Matcher host) {
        Map<String, String> jump = new TreeMap<>(texts);
        jump.keySet().removeAll(Set.of(USER, PORT, KEY, KNOWN_HOSTS));
        jump.put(HOST, host.group(2).replaceAll("[\\[\\]]", ""));
        Optional.ofNullable(host.group(1)).ifPresent(user -> jump.put(USER, user));
        Optional.ofNullable(host.group(3)).ifPresent(port -> jump.put(PORT, port));
        return new SshOptions(jump);
    }

    /** Returns the options of ssh that lead to the host. */
    List<String> words() {
        List<String> words = new ArrayList<>();
        text(CONFIG).ifPresent(file -> words.addAll(List.of("-F", file)));
        text(USER).ifPresent(name -> words.addAll(List.of("-l", name)));
        text(PORT).ifPresent(number -> words.addAll(List.of("-p", number)));
        text(KEY).ifPresent(file -> words.addAll(List.of("-o", "IdentityFile=\"" + escaped(file) + "\"")));
        text(KNOWN_HOSTS)
                .ifPresent(file -> words.addAll(List.of("-o", "UserKnownHostsFile=\"" + escaped(file) + "\"")));
        return words;
    }

    /** Returns a path as ssh takes it where a percent sign begins something else. */
    static String escaped(String file) {
        return file.replace("%", "%%");
    }

    /** Returns words as a user would type them. */
    static String said(List<String> words) {
        return words.stream()
                .map(word -> word.matches("[A-Za-z0-9_@%+=:,./-]+") ? word : BatchScript.quoted(word))
                .collect(Collectors.joining(" "));
    }
}
