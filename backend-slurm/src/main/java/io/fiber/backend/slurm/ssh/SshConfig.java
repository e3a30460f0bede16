// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.fiber.backend.support.batch.LocalCommands;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A host as the configuration of SSH describes it: as {@code ssh -G} does, or as {@link SshConfigFile} reads it on a machine
 * without that program. Immutable.
 *
 * @param role what error messages call it
 * @param options what the user said
 * @param values of each directive, whose name is in lower case
 * @param program the file of {@code ssh}, if there is one
 * @param environment where the agent is named
 * @param way the hosts on the way, the nearest first
 */
public record SshConfig(
        String role,
        SshOptions options,
        Map<String, List<String>> values,
        Optional<Path> program,
        Environment environment,
        List<SshConfig> way) {

    static final Path HOME = Path.of(System.getProperty("user.home"));
    static final boolean IS_UNIX = File.separatorChar == '/';

    /** What only the program follows, and the values with which a directive asks for nothing. */
    static final Map<String, String> ONLY_PROGRAM = onlyProgram(
            "ProxyCommand=none",
            "AddressFamily=any",
            "BindAddress=none",
            "BindInterface=none",
            "CertificateFile=none",
            "HostbasedAuthentication=no|false",
            "KnownHostsCommand=none",
            "NoHostAuthenticationForLocalhost=no|false",
            "PKCS11Provider=none",
            "PreferredAuthentications=.*publickey.*",
            "PubkeyAuthentication=yes|true|unbound|host-bound",
            "RevokedHostKeys=none",
            "SecurityKeyProvider=none|internal",
            "SetEnv=none",
            "VerifyHostKeyDNS=no|false");

    private static final String CANONICAL = "canonicalizehostname";
    private static final String GSSAPI = "gssapiauthentication";
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(15);
    private static final int ASK_LIMIT_SECONDS = 20;
    private static final int DEFAULT_PORT = 22;
    private static final int MOST_JUMPS = 8;
    private static final Pattern TIME = Pattern.compile("([1-9]\\d{0,5})([smhSMH]?)");
    private static final Pattern JUMP =
            Pattern.compile("(?:ssh://)?(?:(.*)@)?(\\[[^]]*\\]|[^:]*|.*:.*:.*?)(?::(\\d+))?/?");
    private static final Pattern TOKEN = Pattern.compile("%(.)");

    private static Map<String, String> onlyProgram(String... rules) {
        Map<String, String> all = new LinkedHashMap<>();
        Stream.of(rules).map(rule -> rule.split("=", 2)).forEach(rule -> all.put(rule[0], rule[1]));
        return all;
    }

    /**
     * Reads what the configuration says about the login node.
     *
     * @throws BackendException FBR-158 if it cannot be read
     */
    static SshConfig of(SshOptions options, Environment environment) {
        // Windows finds it by itself.
        Optional<Path> program = IS_UNIX ? LocalCommands.find("ssh", environment) : Optional.of(Path.of("ssh"));
        return of("login node", options, new SshConfig("", options, Map.of(), program, environment, List.of()), 0);
    }

    private static SshConfig of(String role, SshOptions options, SshConfig near, int depth) {
        if (depth > MOST_JUMPS) {
            throw new BackendException("FBR-158 More than " + MOST_JUMPS + " hosts are on the way to '"
                    + near.options.host() + "'. Look for a circle of ProxyJump in ssh's configuration.");
        }
        Map<String, List<String>> values =
                near.program.isPresent() ? asked(near.program.get(), options) : new SshConfigFile(options).values();
        // ssh -G quotes no blanks.
        options.text(SshOptions.KNOWN_HOSTS)
                .ifPresent(file -> values.put("userknownhostsfile", List.of(SshOptions.escaped(file))));
        List<SshConfig> way = new ArrayList<>();
        String jumps = String.join(",", values.getOrDefault("proxyjump", List.of("none")));
        for (String text : jumps.equalsIgnoreCase("none") ? List.<String>of() : List.of(jumps.split(",", -1))) {
            Matcher jump = JUMP.matcher(text.strip());
            if (!jump.matches()) {
                throw new BackendException("FBR-158 'ProxyJump " + jumps + "' is not [user@]host[:port],...");
            }
            SshConfig host = of("jump host", options.jump(jump), near, depth + 1);
            // The first one is reached as its configuration says, the others from the one before.
            way.addAll(way.isEmpty() ? host.way : List.of());
            way.add(host);
        }
        return new SshConfig(role, options, values, near.program, near.environment, way);
    }

    private static Map<String, List<String>> asked(Path program, SshOptions options) {
        // With ForkAfterAuthentication, ssh demands a command or -N.
        List<String> words = new ArrayList<>(List.of("-GTN"));
        words.addAll(options.words());
        words.addAll(List.of("--", options.host()));
        ProcessBuilder builder = ProgramWay.quiet(program, words).redirectErrorStream(true);
        String asked = "FBR-158 The configuration of ssh cannot be used: '" + SshOptions.said(builder.command()) + "' ";
        try {
            // What a command of the configuration leaves behind may hold a pipe open.
            Path file = Files.createTempFile("fiber", ".ssh");
            try {
                Process process = builder.redirectOutput(file.toFile()).start();
                process.getOutputStream().close();
                boolean isOver = process.waitFor(ASK_LIMIT_SECONDS, TimeUnit.SECONDS);
                process.destroyForcibly();
                String text = Files.readString(file, ISO_8859_1);
                if (!isOver || process.exitValue() != 0) {
                    throw new BackendException(asked
                            + (isOver ? "says: " + text.strip() : "has not ended in " + ASK_LIMIT_SECONDS + " s."));
                }
                Map<String, List<String>> values = new TreeMap<>();
                text.lines()
                        .map(line -> line.strip().split(" ", 2))
                        .filter(line -> line.length == 2)
                        .forEach(line -> {
                            boolean isList = line[0].endsWith("knownhostsfile");
                            values.computeIfAbsent(line[0], name -> new ArrayList<>())
                                    .addAll(isList ? SshConfigFile.words(line[1]) : List.of(line[1]));
                        });
                return values;
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new BackendException(asked + "could not be run: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackendException(asked + "was interrupted.", e);
        }
    }

    /** Returns what only the program can follow on the way, or at its end. */
    Optional<String> needsProgram() {
        return Stream.concat(way.stream(), Stream.of(this))
                .flatMap(each -> each.reasons())
                .findFirst();
    }

    private Stream<String> reasons() {
        Stream<String> directives = ONLY_PROGRAM.entrySet().stream()
                .flatMap(rule -> value(rule.getKey().toLowerCase(Locale.ROOT)).stream()
                        .filter(value -> !value.toLowerCase(Locale.ROOT).matches(rule.getValue()))
                        .map(value -> "'" + rule.getKey() + " " + value + "'"));
        Stream<String> keys = keys().stream()
                .filter(SshConfig::isInHardware)
                .map(key -> "'IdentityFile " + key + "', a key in hardware,");
        if (program.isEmpty()) {
            // With the program, ssh -G has done it.
            Stream<String> names = value(CANONICAL)
                    .filter(text -> !text.equalsIgnoreCase("no") && !text.equalsIgnoreCase("false"))
                    .map(text -> "'CanonicalizeHostname " + text + "'")
                    .stream();
            return Stream.of(directives, keys, names).flatMap(each -> each);
        }
        if (options.isBy("jsch")) {
            return Stream.concat(directives, keys);
        }
        Stream<String> sockets = value("controlpath").map(this::path).filter(Files::exists).stream()
                .map(socket -> "'ControlPath " + socket + "', where a connection is open,");
        Stream<String> tickets = Stream.of("'GSSAPIAuthentication yes', and a Kerberos ticket,")
                .filter(reason -> value(GSSAPI).filter("yes"::equalsIgnoreCase).isPresent() && hasTicket());
        return Stream.of(directives, keys, sockets, tickets).flatMap(each -> each);
    }

    private static boolean isInHardware(Path key) {
        try {
            String text = Files.readString(key, ISO_8859_1).replaceAll("-----[^-]*-----|\\s", "");
            String bytes = new String(Base64.getMimeDecoder().decode(text), ISO_8859_1);
            return bytes.contains("sk-ssh-") || bytes.contains("sk-ecdsa-");
        } catch (IOException | IllegalArgumentException e) {
            return false;
        }
    }

    /** Distributions allow GSSAPI to everybody; it is used by those who have a ticket. */
    private boolean hasTicket() {
        Optional<Path> klist = LocalCommands.find("klist", environment);
        try {
            return klist.isPresent()
                    && new ProcessBuilder(klist.get().toString(), "-s").start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Returns the first value of a directive; empty if it is none. */
    Optional<String> value(String directive) {
        return values.getOrDefault(directive, List.of()).stream()
                .findFirst()
                .filter(text -> !text.equalsIgnoreCase("none"));
    }

    /** Returns a name or an address that can be dialled. */
    String address() {
        String name = options.host();
        return value("hostname").orElse(name).replace("%h", name).replace("%%", "%");
    }

    int port() {
        return value("port").map(Integer::parseInt).orElse(DEFAULT_PORT);
    }

    String user() {
        return value("user").orElse(System.getProperty("user.name"));
    }

    /** Returns within what time the host must have answered. */
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
                .orElse(CONNECT_LIMIT);
    }

    /** Returns the files with private keys that exist. */
    List<Path> keys() {
        return values
                .getOrDefault("identityfile", List.of("~/.ssh/id_rsa", "~/.ssh/id_ecdsa", "~/.ssh/id_ed25519"))
                .stream()
                .map(this::path)
                .filter(Files::isReadable)
                .distinct()
                .toList();
    }

    /** Returns the socket of the agent. */
    Optional<Path> agent() {
        String named =
                values.getOrDefault("identityagent", List.of("SSH_AUTH_SOCK")).get(0);
        boolean isVariable = named.equals("SSH_AUTH_SOCK") || named.startsWith("$");
        return (isVariable ? environment.variable(named.replaceAll("[${}]", "")) : Optional.of(named))
                .filter(text -> !text.isEmpty() && !text.equalsIgnoreCase("none"))
                .map(this::path);
    }

    /** Returns the files of trusted host keys; they need not exist. */
    List<Path> knownHosts() {
        return Stream.concat(
                        values.getOrDefault("userknownhostsfile", List.of("~/.ssh/known_hosts")).stream(),
                        values.getOrDefault("globalknownhostsfile", List.of("/etc/ssh/ssh_known_hosts")).stream())
                .filter(text -> !text.equalsIgnoreCase("none"))
                .map(this::path)
                .distinct()
                .toList();
    }

    private Path path(String text) {
        Map<String, String> tokens = Map.of(
                "d", HOME.toString(),
                "h", address(),
                "n", options.host(),
                "p", String.valueOf(port()),
                "r", user(),
                "u", System.getProperty("user.name"),
                "%", "%");
        String plain = text.startsWith("~/") ? HOME + text.substring(1) : text;
        return Path.of(TOKEN.matcher(plain)
                        .replaceAll(
                                found -> Matcher.quoteReplacement(tokens.getOrDefault(found.group(1), found.group()))))
                .toAbsolutePath();
    }

    /**
     * Returns the first host on the way.
     *
     * @throws BackendException FBR-134 if only a command knows it
     */
    String nearest() {
        SshConfig first = way.isEmpty() ? this : way.get(0);
        first.value("proxycommand").ifPresent(command -> {
            throw new BackendException("FBR-134 The way to the login node " + named() + " is 'ProxyCommand " + command
                    + "', so the address for jobs to dial is unknown. Name the interface by fiber.slurm.interface.");
        });
        return first.address();
    }

    /** Returns the host as the user knows it, and where that is. */
    public String named() {
        return "'" + options.host() + "' (" + address() + ":" + port() + ")";
    }

    /** Returns the first words of a sentence about it. */
    String theHost() {
        return "The " + role + " " + named();
    }

    /** Returns the command that shows the user the same failure. */
    String byHand(String... more) {
        List<String> words = new ArrayList<>(List.of("ssh"));
        words.addAll(List.of(more));
        words.addAll(options.words());
        words.addAll(List.of(options.host(), "echo works"));
        return SshOptions.said(words);
    }
}
