// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the configuration of OpenSSH says about one host, as far as jsch can follow it. Immutable.
 *
 * @param name of the host, as the user or a ProxyJump wrote it
 * @param values of each directive, whose name is in lower case
 * @param program the first directive that only the program {@code ssh} can follow, with its file
 * @param place where it was read
 */
record SshConfig(String name, Map<String, List<String>> values, Optional<String> program, Place place) {

    private static final int DEFAULT_PORT = 22;
    private static final int MOST_JUMPS = 8;
    private static final Pattern TIME = Pattern.compile("([1-9]\\d{0,4})([smhSMH]?)");
    private static final List<String> USUAL_KEYS = List.of("id_rsa", "id_ecdsa", "id_ed25519");
    private static final List<String> USUAL_HARDWARE_KEYS = List.of("id_ecdsa_sk", "id_ed25519_sk");
    private static final List<String> HARDWARE = List.of("sk-ssh-", "sk-ecdsa-");

    /**
     * Where a configuration is read.
     *
     * @param options what the user said
     * @param home the user's own directory
     * @param environment where the agent is named
     */
    record Place(SshOptions options, Path home, Environment environment) {
        Path own() {
            return home.resolve(".ssh");
        }
    }

    /**
     * A host of ProxyJump.
     *
     * @param host a name or an address
     */
    record Jump(Optional<String> user, String host, Optional<String> port) {
        private static final Pattern PORT = Pattern.compile(":(\\d+)$");

        /** Reads {@code [user@]host[:port]}. */
        static Jump of(String text) {
            String place = text.strip().replaceFirst("^ssh://", "").replaceFirst("/$", "");
            int at = place.lastIndexOf('@');
            String host = place.substring(at + 1);
            boolean mayHavePort = host.startsWith("[") || host.indexOf(':') == host.lastIndexOf(':');
            Optional<String> port = Optional.of(PORT.matcher(host))
                    .filter(found -> mayHavePort && found.find())
                    .map(found -> found.group(1));
            return new Jump(
                    at < 0 ? Optional.empty() : Optional.of(place.substring(0, at)),
                    (mayHavePort ? PORT.matcher(host).replaceFirst("") : host).replaceAll("[\\[\\]]", ""),
                    port);
        }
    }

    /**
     * Reads what the configuration says about the login node.
     *
     * @throws BackendException FBR-158 if it cannot be read
     */
    static SshConfig of(SshOptions options, Environment environment) {
        Place place = new Place(options, Path.of(System.getProperty("user.home")), environment);
        SshConfigReader reader = new SshConfigReader(place.own(), options.host());
        options.user().ifPresent(user -> reader.given("user", user));
        options.port().ifPresent(port -> reader.given("port", String.valueOf(port)));
        options.key().ifPresent(key -> reader.given("identityfile", SshOptions.escaped(key)));
        options.knownHosts().ifPresent(file -> reader.given("userknownhostsfile", SshOptions.escaped(file)));
        return read(reader, place, options.host());
    }

    private static SshConfig read(SshConfigReader reader, Place place, String name) {
        reader.read(place.options().config());
        SshConfig config = new SshConfig(name, reader.values(), reader.program(), place);
        return new SshConfig(name, reader.values(), reader.program().or(config::byFiles), place);
    }

    private SshConfig jump(Jump jump) {
        SshConfigReader reader = new SshConfigReader(place.own(), jump.host());
        jump.user().ifPresent(user -> reader.given("user", user));
        jump.port().ifPresent(port -> reader.given("port", port));
        return read(reader, place, jump.host());
    }

    static BackendException circle(SshOptions options) {
        return new BackendException("FBR-158 More than " + MOST_JUMPS + " hosts are on the way to '" + options.host()
                + "'. Look for a circle of ProxyJump in ssh's configuration.");
    }

    /** Returns the hosts on the way, the nearest first; each is reached from the one before it, and this one from the last. */
    List<SshConfig> way() {
        List<SshConfig> all = new ArrayList<>();
        addWay(all, 0);
        return all;
    }

    private void addWay(List<SshConfig> all, int depth) {
        if (depth == MOST_JUMPS) {
            throw circle(place.options());
        }
        String jumps = value("proxyjump").orElse("");
        for (String text : jumps.isEmpty() ? new String[0] : jumps.split(",", -1)) {
            SshConfig jump = jump(Jump.of(text));
            // The first one is reached as its configuration says, the others from the one before.
            if (jumps.startsWith(text)) {
                jump.addWay(all, depth + 1);
            }
            all.add(jump);
        }
    }

    /** Returns what only the program can follow on the way, or at its end. */
    Optional<String> needsProgram() {
        return Stream.concat(way().stream(), Stream.of(this))
                .flatMap(each -> each.program.stream())
                .findFirst();
    }

    /** Keys in hardware, and connections that are open. */
    private Optional<String> byFiles() {
        for (Path key : keys()) {
            if (isInHardware(key)) {
                return Optional.of("'IdentityFile " + key + "', a key in hardware,");
            }
        }
        return value("controlpath")
                .filter(this::isOpen)
                .map(text -> "'ControlPath " + text + "', where a connection is open,");
    }

    private static boolean isInHardware(Path key) {
        try {
            String text = Files.readString(key).replaceAll("-----[^-]*-----|\\s", "");
            String bytes = new String(Base64.getMimeDecoder().decode(text), ISO_8859_1);
            return HARDWARE.stream().anyMatch(bytes::contains);
        } catch (IOException | IllegalArgumentException e) {
            return false;
        }
    }

    /** Any socket that may be meant will do: the program knows which one it is. */
    private boolean isOpen(String controlPath) {
        Path pattern = path(controlPath.replaceAll("%[^%d]", "*"));
        return SshConfigReader.matching(pattern).stream().anyMatch(Files::exists);
    }

    Optional<String> value(String directive) {
        return values(directive).stream().findFirst();
    }

    List<String> values(String directive) {
        return values.getOrDefault(directive, List.of()).stream()
                .filter(text -> !text.equalsIgnoreCase("none"))
                .toList();
    }

    /** Returns a name or an address that can be dialled. */
    String address() {
        return value("hostname").orElse(name).replace("%h", name).replace("%%", "%");
    }

    int port() {
        try {
            return value("port").map(Integer::parseInt).orElse(DEFAULT_PORT);
        } catch (NumberFormatException e) {
            throw new BackendException(
                    "FBR-158 Port '" + value("port").orElse("") + "' of the host '" + name
                            + "' in ssh's configuration is not a number.",
                    e);
        }
    }

    String user() {
        return value("user").orElse(System.getProperty("user.name"));
    }

    Duration connectLimit() {
        return value("connecttimeout")
                .map(TIME::matcher)
                .filter(Matcher::matches)
                .map(limit -> Duration.ofSeconds(Long.parseLong(limit.group(1))
                        * switch (limit.group(2).toLowerCase(Locale.ROOT)) {
                            case "m" -> 60;
                            case "h" -> 3600;
                            default -> 1;
                        }))
                .orElse(SshTarget.CONNECT_LIMIT);
    }

    /** Returns files with private keys that exist, in the order in which they are offered. */
    List<Path> keys() {
        List<Path> named = values("identityfile").stream()
                .map(this::path)
                .filter(Files::isReadable)
                .distinct()
                .toList();
        if (values.containsKey("identityfile")) {
            return named;
        }
        List<Path> usual = usual(USUAL_KEYS);
        return usual.isEmpty() && agent().isEmpty() ? usual(USUAL_HARDWARE_KEYS) : usual;
    }

    private List<Path> usual(List<String> names) {
        return names.stream()
                .map(place.own()::resolve)
                .filter(Files::isReadable)
                .toList();
    }

    boolean hasOnlyNamedKeys() {
        return value("identitiesonly").filter("yes"::equalsIgnoreCase).isPresent();
    }

    /** Returns the socket of the agent. */
    Optional<Path> agent() {
        List<String> named = values.getOrDefault("identityagent", List.of("SSH_AUTH_SOCK"));
        String text = named.get(0);
        if (text.equalsIgnoreCase("none")) {
            return Optional.empty();
        }
        String variable = text.startsWith("$") ? text.replaceAll("[${}]", "") : text;
        return variable.equals("SSH_AUTH_SOCK") || text.startsWith("$")
                ? place.environment()
                        .variable(variable)
                        .filter(socket -> !socket.isEmpty())
                        .map(Path::of)
                : Optional.of(path(text));
    }

    /** Returns the files of trusted host keys; they need not exist. */
    List<Path> knownHosts() {
        Set<Path> all = new LinkedHashSet<>(knownHosts("userknownhostsfile", place.own() + "/known_hosts"));
        all.addAll(knownHosts("globalknownhostsfile", "/etc/ssh/ssh_known_hosts"));
        return List.copyOf(all);
    }

    private List<Path> knownHosts(String directive, String otherwise) {
        List<String> named = values.containsKey(directive) ? values(directive) : List.of(otherwise);
        return named.stream().map(this::path).toList();
    }

    /** Returns the directives of the configuration that jsch reads by itself. */
    String ofAlgorithms() {
        StringBuilder text = new StringBuilder();
        for (String directive : SshConfigReader.ALGORITHMS) {
            value(directive)
                    .ifPresent(value ->
                            text.append(directive).append(' ').append(value).append('\n'));
        }
        return text.toString();
    }

    private Path path(String text) {
        String plain = text.startsWith("~/") ? place.home() + text.substring(1) : text;
        Map<String, String> tokens = Map.of(
                "%d", place.home().toString(),
                "%h", address(),
                "%n", name,
                "%p", String.valueOf(port()),
                "%r", user(),
                "%u", System.getProperty("user.name"),
                "%%", "%");
        String full = Pattern.compile("%.")
                .matcher(plain)
                .replaceAll(found -> Matcher.quoteReplacement(tokens.getOrDefault(found.group(), found.group())));
        return Path.of(full).toAbsolutePath();
    }

    /** Returns this host in the words of error messages. */
    SshTarget target() {
        boolean isLoginNode = name.equals(place.options().host());
        return new SshTarget(
                isLoginNode ? SshTarget.LOGIN_NODE : "jump host",
                isLoginNode ? place.options() : place.options().ofJump(name),
                address() + ":" + port(),
                user(),
                knownHosts("userknownhostsfile", place.own() + "/known_hosts").stream()
                        .map(Path::toString)
                        .collect(Collectors.joining(" ")),
                connectLimit());
    }
}
