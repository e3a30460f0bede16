// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.backend.support.batch.LocalCommands;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.JobSpec;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The login node as the program {@code ssh} reaches it, which alone knows configurations, keys and trusted hosts. Immutable.
 *
 * @param options what the user said
 * @param program the file of {@code ssh}
 * @param settings what {@code ssh -G} says of the login node
 * @param nearest what it says of the first host on the way, which may be the same
 */
record SshTarget(SshOptions options, Path program, Map<String, String> settings, Map<String, String> nearest) {

    /** Nothing is asked, nothing but lines of a shell goes over the connection, and silence ends it. */
    private static final List<String> ALWAYS =
            List.of(("-Tax -o BatchMode=yes -o StrictHostKeyChecking=yes -o LogLevel=INFO -o FingerprintHash=sha256"
                            + " -o ClearAllForwardings=yes -o RemoteCommand=none -o PermitLocalCommand=no"
                            + " -o ServerAliveInterval=5 -o ServerAliveCountMax=2")
                    .split(" "));

    /** What OpenSSH 8.7 and later must be told, too. */
    private static final List<String> WHERE_KNOWN =
            List.of("-o SessionType=default -o ForkAfterAuthentication=no -o StdinNull=no".split(" "));

    private static final String ALONE = "/usr/bin/setsid";
    private static final boolean IS_UNIX = File.separatorChar == '/';
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(15);
    private static final int ASK_LIMIT_SECONDS = 20;
    private static final int MOST_JUMPS = 8;
    private static final String JUMP = "proxyjump";
    private static final String CONTROL_PATH = "controlpath";
    private static final String STDIN_NULL = "stdinnull";

    /**
     * Finds the program and asks it how it reaches the login node.
     *
     * @throws BackendException FBR-158 when its configuration cannot be used, FBR-212 when there is no such program
     */
    static SshTarget of(SshOptions options, Environment environment) {
        // Windows finds it by itself.
        Optional<Path> found = IS_UNIX ? LocalCommands.find("ssh", environment) : Optional.of(Path.of("ssh"));
        Path program =
                found.orElseThrow(() -> new BackendException("FBR-212 The program 'ssh' is in no directory of PATH="
                        + environment.variable("PATH").orElse("") + "; Fiber reaches the login node '" + options.host()
                        + "' by it. Install OpenSSH's client here, or put it on the PATH."));
        Map<String, String> settings = asked(program, options.words(), options.host());
        Map<String, String> nearest = settings;
        for (int jumps = 0; nearest.containsKey(JUMP); jumps++) {
            if (jumps == MOST_JUMPS) {
                throw new BackendException("FBR-158 More than " + MOST_JUMPS + " hosts are on the way to '"
                        + options.host() + "'. Look for a circle of ProxyJump in ssh's configuration.");
            }
            nearest = asked(program, options.shared(), firstOf(nearest.getOrDefault(JUMP, "")));
        }
        return new SshTarget(options, program, settings, nearest);
    }

    /** Returns the name of the first host of {@code [user@]host[:port],...}. */
    private static String firstOf(String jumps) {
        String place = jumps.split(",", 2)[0].replaceFirst("^ssh://", "");
        place = place.substring(place.lastIndexOf('@') + 1);
        boolean hasPort = place.startsWith("[") || place.indexOf(':') == place.lastIndexOf(':');
        return (hasPort ? place.replaceFirst(":\\d+$", "") : place).replaceAll("[\\[\\]]", "");
    }

    /** Returns the first value of each setting; what is none is not there. */
    private static Map<String, String> asked(Path program, List<String> options, String host) {
        List<String> words = begun(program);
        // What is put into the background must have a command, or want none.
        words.add("-GTN");
        words.addAll(options);
        words.addAll(List.of("--", host));
        String asked = "FBR-158 The configuration of ssh cannot be used: '" + said(words) + "' ";
        try {
            // What a command of the configuration leaves behind may hold a pipe open.
            Path file = Files.createTempFile("fiber", ".ssh");
            try {
                Process process = quiet(words)
                        .redirectErrorStream(true)
                        .redirectOutput(file.toFile())
                        .start();
                process.getOutputStream().close();
                boolean isOver = process.waitFor(ASK_LIMIT_SECONDS, TimeUnit.SECONDS);
                process.destroyForcibly();
                String text = Files.readString(file, StandardCharsets.ISO_8859_1);
                if (!isOver || process.exitValue() != 0) {
                    throw new BackendException(asked
                            + (isOver ? "says: " + text.strip() : "has not ended in " + ASK_LIMIT_SECONDS + " s."));
                }
                return settings(text);
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

    private static Map<String, String> settings(String text) {
        Map<String, String> settings = new TreeMap<>();
        text.lines()
                .map(line -> line.strip().split(" ", 2))
                .filter(line -> line.length == 2 && !line[1].equalsIgnoreCase("none"))
                .forEach(line -> settings.putIfAbsent(line[0], line[1]));
        return settings;
    }

    /** What other programs on the way would ask finds no terminal, and neither does Ctrl-C find what runs for a session. */
    private static List<String> begun(Path program) {
        List<String> words = new ArrayList<>(List.of(program.toString()));
        if (new File(ALONE).canExecute()) {
            words.add(0, ALONE);
        }
        return words;
    }

    /** Returns what starts a program that asks for nothing and hands on no language of this host. */
    static ProcessBuilder quiet(List<String> words) {
        ProcessBuilder builder = new ProcessBuilder(words);
        // It would hand them on, and the account there has its own language.
        builder.environment().keySet().removeIf(name -> name.startsWith("LC_") || name.startsWith("LANG"));
        builder.environment().remove(JobSpec.BOOTSTRAP_VARIABLE);
        builder.environment().putAll(Map.of("SSH_ASKPASS", "/bin/false", "SSH_ASKPASS_REQUIRE", "force"));
        return builder;
    }

    /** Returns an ssh that has a shell of the login node run a line. */
    ProcessBuilder running(String line, List<String> more) {
        return quiet(words(line, more));
    }

    /**
     * Returns the words of ssh that have a shell of the login node run a line.
     *
     * @param more options that go before all others
     */
    List<String> words(String line, List<String> more) {
        List<String> words = begun(program);
        words.addAll(more);
        words.addAll(ALWAYS);
        words.addAll(List.of("-o", "ConnectTimeout=" + connectLimit().toSeconds()));
        if (settings.containsKey(STDIN_NULL)) {
            words.addAll(WHERE_KNOWN);
        }
        if (settings.containsKey(CONTROL_PATH)) {
            // An open connection is used; ours would take others with it when it ends.
            words.addAll(List.of("-o", "ControlMaster=no"));
        }
        words.addAll(options.words());
        words.addAll(List.of("--", options.host(), line));
        return words;
    }

    /** Returns within what time the host must have answered, which the configuration may say. */
    Duration connectLimit() {
        return Optional.ofNullable(settings.get("connecttimeout"))
                .map(text -> Duration.ofSeconds(Long.parseLong(text)))
                .filter(limit -> !limit.isZero())
                .orElse(CONNECT_LIMIT);
    }

    /** Tells whether shells can share a connection of ours: the configuration may name another, and Windows has none. */
    boolean canShareConnection() {
        return IS_UNIX && !settings.containsKey(CONTROL_PATH);
    }

    /**
     * Returns the first host on the way.
     *
     * @throws BackendException FBR-134 when only a command knows the way
     */
    String nearestHost() {
        if (nearest.containsKey("proxycommand")) {
            throw new BackendException("FBR-134 The way to the login node " + named() + " is 'ProxyCommand "
                    + nearest.get("proxycommand")
                    + "', so the address for jobs to dial is unknown. Name the interface by fiber.slurm.interface.");
        }
        return nearest.getOrDefault("hostname", "");
    }

    String user() {
        return setting("user");
    }

    /** Returns the files of trusted host keys. */
    String knownHosts() {
        return setting("userknownhostsfile");
    }

    /** Returns the host as the user knows it, and where that is. */
    String named() {
        return "'" + options.host() + "' (" + setting("hostname") + ":" + setting("port") + ")";
    }

    private String setting(String name) {
        return settings.getOrDefault(name, "");
    }

    /** Returns what a user may run to see for himself. */
    String byHand(String... more) {
        List<String> words = new ArrayList<>(List.of("ssh"));
        words.addAll(List.of(more));
        words.addAll(options.words());
        words.addAll(List.of(options.host(), "echo works"));
        return said(words);
    }

    private static String said(List<String> words) {
        return words.stream().map(Preview::word).collect(Collectors.joining(" "));
    }
}
