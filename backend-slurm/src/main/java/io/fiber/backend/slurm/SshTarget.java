// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import com.jcraft.jsch.ConfigRepository;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A host that is reached by SSH, and how. Immutable.
 *
 * @param name as the user wrote it
 * @param host a name or an address that this host, or the one it jumps from, can dial
 * @param hostKeyName under which its key is known, when that is not {@code host}
 * @param keys private keys in the order in which they are offered
 * @param agent the socket of the agent that holds further keys
 * @param knownHosts the file of trusted host keys; it need not exist
 * @param connectLimit within which it must have answered and let us in
 * @param jump the host through which it is reached
 */
record SshTarget(
        String name,
        String host,
        int port,
        String user,
        Optional<String> hostKeyName,
        Keys keys,
        Optional<Path> agent,
        Path knownHosts,
        Duration connectLimit,
        Optional<SshTarget> jump) {

    private static final int DEFAULT_PORT = 22;
    private static final Duration DEFAULT_CONNECT_LIMIT = Duration.ofSeconds(15);
    private static final Pattern SECONDS = Pattern.compile("([1-9]\\d{0,4})s?");
    private static final int MOST_JUMPS = 8;
    private static final List<String> USUAL_KEYS = List.of("id_ed25519", "id_ecdsa", "id_rsa");
    private static final List<String> UNSAID_KEYS =
            List.of("id_ed25519", "id_ecdsa", "id_rsa", "id_ed25519_sk", "id_ecdsa_sk", "id_xmss", "id_dsa");

    /**
     * Private keys in files.
     *
     * @param named that the user or the configuration names, offered before those of the agent
     * @param usual that are looked for in the user's own directory, offered after those of the agent
     */
    record Keys(List<Path> named, List<Path> usual) {
        Keys {
            named = List.copyOf(named);
            usual = List.copyOf(usual);
        }
    }

    /** Returns the address and port in words. */
    String place() {
        return host + ":" + port;
    }

    /** Returns the first host on the way. */
    SshTarget nearest() {
        return jump.map(SshTarget::nearest).orElse(this);
    }

    private SshTarget behind(SshTarget way) {
        return new SshTarget(
                name, host, port, user, hostKeyName, keys, agent, knownHosts, connectLimit, Optional.of(way));
    }

    private SshTarget at(String otherUser, int otherPort) {
        return new SshTarget(
                name, host, otherPort, otherUser, hostKeyName, keys, agent, knownHosts, connectLimit, jump);
    }

    /**
     * Finds out what the configuration of OpenSSH says of the login node that the user named.
     *
     * @throws BackendException when the configuration cannot be read
     */
    static SshTarget of(SshOptions options, Path home, Environment environment) {
        ConfigRepository repository = SshConfig.read(options.config(), environment);
        return new Reader(repository, options, home, environment).target(options.host(), true, 0);
    }

    /** Reads one configuration. */
    private record Reader(ConfigRepository repository, SshOptions options, Path home, Environment environment) {

        /** What the options say is meant for the login node, and not for hosts on the way. */
        SshTarget target(String name, boolean isLoginNode, int jumps) {
            if (jumps > MOST_JUMPS) {
                throw new BackendException("FBR-158 More than " + MOST_JUMPS + " hosts are on the way to '"
                        + options.host() + "'. Look for a circle of ProxyJump in '" + options.config() + "'.");
            }
            ConfigRepository.Config config = repository.getConfig(name);
            String host = Optional.ofNullable(config.getHostname()).orElse(name).replace("%h", name);
            String user = (isLoginNode ? options.user() : Optional.<String>empty())
                    .or(() -> Optional.ofNullable(config.getUser()))
                    .orElse(System.getProperty("user.name"));
            OptionalInt port = isLoginNode ? options.port() : OptionalInt.empty();
            refuseCommand(name, config);
            return new SshTarget(
                    name,
                    host,
                    port.orElse(config.getPort() > 0 ? config.getPort() : DEFAULT_PORT),
                    user,
                    value(config, "HostKeyAlias"),
                    keys(config, host, user, isLoginNode),
                    agent(config),
                    knownHosts(config),
                    connectLimit(config),
                    value(config, "ProxyJump")
                            .filter(text -> !text.equalsIgnoreCase("none"))
                            .map(text -> jump(text, jumps)));
        }

        /** Without it the host would not be reached, and nothing would say why. */
        private void refuseCommand(String name, ConfigRepository.Config config) {
            value(config, "ProxyCommand")
                    .filter(text -> !text.equalsIgnoreCase("none"))
                    .filter(text -> value(config, "ProxyJump").isEmpty())
                    .ifPresent(text -> {
                        throw new BackendException("FBR-211 The SSH configuration '" + options.config()
                                + "' reaches the host '" + name + "' by 'ProxyCommand " + text
                                + "', which Fiber does not run. Where it is 'ssh -W %h:%p gateway', write 'ProxyJump"
                                + " gateway' instead; or name another configuration by fiber.slurm.ssh-config.");
                    });
        }

        private SshTarget jump(String text, int jumps) {
            String[] hops = text.split(",", -1);
            SshTarget last = hop(hops[0].strip(), jumps + 1);
            for (int i = 1; i < hops.length; i++) {
                last = hop(hops[i].strip(), jumps + 1).behind(last);
            }
            return last;
        }

        /** {@code [user@]host[:port]}. */
        private SshTarget hop(String text, int jumps) {
            int at = text.lastIndexOf('@');
            String place = text.substring(at + 1);
            int colon = place.indexOf(':') == place.lastIndexOf(':') ? place.lastIndexOf(':') : -1;
            SshTarget found = target(colon < 0 ? place : place.substring(0, colon), false, jumps);
            try {
                return found.at(
                        at < 0 ? found.user : text.substring(0, at),
                        colon < 0 ? found.port : Integer.parseInt(place.substring(colon + 1)));
            } catch (NumberFormatException e) {
                throw new BackendException(
                        "FBR-158 ProxyJump '" + text + "' in '" + options.config()
                                + "' cannot be read; expected [user@]host[:port].",
                        e);
            }
        }

        private Keys keys(ConfigRepository.Config config, String host, String user, boolean isLoginNode) {
            List<Path> named = new ArrayList<>();
            if (isLoginNode) {
                options.key().ifPresent(named::add);
            }
            values(config, "IdentityFile").stream()
                    .map(text -> path(text, host, user))
                    .forEach(named::add);
            List<Path> usual = named.isEmpty()
                    ? USUAL_KEYS.stream()
                            .map(key -> home.resolve(".ssh").resolve(key))
                            .toList()
                    : List.of();
            return new Keys(
                    named.stream().filter(this::isWorthNaming).distinct().toList(),
                    usual.stream().filter(Files::isReadable).toList());
        }

        /** ssh also names default keys, which need not exist. */
        private boolean isWorthNaming(Path key) {
            return Files.exists(key)
                    || !(home.resolve(".ssh").equals(key.getParent())
                            && UNSAID_KEYS.contains(String.valueOf(key.getFileName())));
        }

        private Optional<Path> agent(ConfigRepository.Config config) {
            if (value(config, "IdentitiesOnly")
                    .map(text -> text.toLowerCase(Locale.ROOT))
                    .equals(Optional.of("yes"))) {
                return Optional.empty();
            }
            Optional<String> named =
                    value(config, "IdentityAgent").filter(text -> !text.equalsIgnoreCase("SSH_AUTH_SOCK"));
            if (named.isPresent()) {
                return named.filter(text -> !text.equalsIgnoreCase("none")).map(text -> path(text, "", ""));
            }
            return environment
                    .variable("SSH_AUTH_SOCK")
                    .filter(text -> !text.isEmpty())
                    .map(Path::of);
        }

        private Path knownHosts(ConfigRepository.Config config) {
            return options.knownHosts()
                    .or(() -> value(config, "UserKnownHostsFile")
                            .map(text -> path(text.split("\\s+", 2)[0], options.host(), "")))
                    .orElse(home.resolve(".ssh").resolve("known_hosts"));
        }

        /** {@code ssh -G} says "none" where nothing is said; a single value has other units in JSch. */
        private static Duration connectLimit(ConfigRepository.Config config) {
            return values(config, "ConnectTimeout").stream()
                    .findFirst()
                    .map(SECONDS::matcher)
                    .filter(Matcher::matches)
                    .map(limit -> Duration.ofSeconds(Long.parseLong(limit.group(1))))
                    .orElse(DEFAULT_CONNECT_LIMIT);
        }

        private Path path(String text, String host, String user) {
            String plain = text.replace("\"", "")
                    .replace("%d", home.toString())
                    .replace("%h", host)
                    .replace("%r", user);
            return plain.startsWith("~/") ? home.resolve(plain.substring(2)) : home.resolve(plain);
        }

        private static Optional<String> value(ConfigRepository.Config config, String key) {
            return Optional.ofNullable(config.getValue(key)).map(String::strip).filter(text -> !text.isEmpty());
        }

        private static List<String> values(ConfigRepository.Config config, String key) {
            String[] values = config.getValues(key);
            return values == null
                    ? List.of()
                    : Arrays.stream(values).map(String::strip).toList();
        }
    }
}
