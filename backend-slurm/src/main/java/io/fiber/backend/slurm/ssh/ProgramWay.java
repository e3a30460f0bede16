// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.fiber.backend.support.batch.BatchScript;
import io.fiber.backend.support.batch.Commands;
import io.fiber.backend.support.batch.LocalCommands;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.JobSpec;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
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
import org.jspecify.annotations.Nullable;

/**
 * The program {@code ssh}: one process for each line, and one that keeps the connection that they share. Their output goes to
 * files, so that no thread has to read pipes.
 */
final class ProgramWay implements Way {

    /** Nothing is asked, nothing but lines of a shell goes over the connection, and silence ends it. */
    private static final List<String> ALWAYS =
            List.of(("-Tax -o BatchMode=yes -o StrictHostKeyChecking=yes -o LogLevel=INFO -o FingerprintHash=sha256"
                            + " -o ClearAllForwardings=yes -o RemoteCommand=none -o PermitLocalCommand=no"
                            + " -o ServerAliveInterval=5 -o ServerAliveCountMax=2")
                    .split(" "));

    /** Options of OpenSSH 8.7 and later. */
    private static final List<String> WHERE_KNOWN =
            List.of("-o SessionType=default -o ForkAfterAuthentication=no -o StdinNull=no".split(" "));

    /** For somewhat more than ten minutes. */
    private static final String AGAIN =
            "trap '' INT TERM HUP QUIT; export SSH_ASKPASS=/bin/false SSH_ASKPASS_REQUIRE=force;"
                    + " left=150; until \"$@\" || [ $left -eq 0 ]; do left=$((left - 1)); sleep 5; done";

    private static final String ALONE = "/usr/bin/setsid";
    private static final boolean IS_UNIX = File.separatorChar == '/';
    private static final int ASK_LIMIT_SECONDS = 20;
    private static final int LOOK_MS = 5;
    /** The process that keeps the connection ends in a moment if that has broken. */
    private static final int END_LIMIT_MS = 500;

    private static final int MOST_JUMPS = 8;
    private static final int MOST_SAID = 64 * 1024;
    private static final String JUMP = "proxyjump";
    private static final String CONTROL_PATH = "controlpath";
    private static final String STDIN_NULL = "stdinnull";
    private static final String SOCKET = "ssh";
    /** While ssh makes it, its name is longer. */
    private static final int LONGEST_SOCKET_BYTES = 85;

    private final Path program;
    private final Path directory;
    /** What {@code ssh -G} says of the login node, and of the first host on the way, which may be the same. */
    private final Map<String, String> settings;

    private final Map<String, String> nearest;
    private final SshTarget target;
    /** Empty if the configuration names a socket of its own, or there is no place for one. */
    private final Optional<Path> socket;

    private volatile @Nullable ProgramExec connection;
    private volatile boolean works;

    /**
     * Asks the program how it reaches the login node.
     *
     * @throws BackendException FBR-158 if its configuration cannot be used
     */
    ProgramWay(SshOptions options, Path program, Path directory) {
        this.program = program;
        this.directory = directory;
        this.settings = asked(options.words(), options.host());
        Map<String, String> first = settings;
        for (int jumps = 0; first.containsKey(JUMP); jumps++) {
            if (jumps == MOST_JUMPS) {
                throw SshConfig.circle(options);
            }
            first = asked(
                    options.shared(),
                    SshConfig.Jump.of(first.getOrDefault(JUMP, "").split(",", 2)[0])
                            .host());
        }
        this.nearest = first;
        this.target = new SshTarget(
                SshTarget.LOGIN_NODE,
                options,
                settings.get("hostname") + ":" + settings.get("port"),
                settings.getOrDefault("user", ""),
                settings.getOrDefault("userknownhostsfile", ""),
                Optional.ofNullable(settings.get("connecttimeout"))
                        .map(text -> Duration.ofSeconds(Long.parseLong(text)))
                        .filter(limit -> !limit.isZero())
                        .orElse(SshTarget.CONNECT_LIMIT));
        this.socket = Optional.of(directory.resolve(SOCKET))
                .filter(path -> IS_UNIX
                        && !settings.containsKey(CONTROL_PATH)
                        && path.toString().getBytes(UTF_8).length <= LONGEST_SOCKET_BYTES);
    }

    /** Returns the file of the program, if there is one. */
    static Optional<Path> find(Environment environment) {
        // Windows finds it by itself.
        return IS_UNIX ? LocalCommands.find("ssh", environment) : Optional.of(Path.of("ssh"));
    }

    /** Returns the first value of each setting; what is none is not there. */
    private Map<String, String> asked(List<String> options, String host) {
        List<String> words = begun();
        // What is put into the background must have a command, or want none.
        words.add("-GTN");
        words.addAll(options);
        words.addAll(List.of("--", host));
        String asked = "FBR-158 The configuration of ssh cannot be used: '" + SshOptions.said(words) + "' ";
        // What a command of the configuration leaves behind may hold a pipe open.
        try (ProgramExec exec = new ProgramExec(words)) {
            exec.input().close();
            boolean isOver = exec.process.waitFor(ASK_LIMIT_SECONDS, TimeUnit.SECONDS);
            if (!isOver || exec.process.exitValue() != 0) {
                throw new BackendException(asked
                        + (isOver
                                ? "says: " + exec.errors().strip()
                                : "has not ended in " + ASK_LIMIT_SECONDS + " s."));
            }
            Map<String, String> found = new TreeMap<>();
            exec.output()
                    .lines()
                    .map(line -> line.strip().split(" ", 2))
                    .filter(line -> line.length == 2 && !line[1].equalsIgnoreCase("none"))
                    .forEach(line -> found.putIfAbsent(line[0], line[1]));
            return found;
        } catch (IOException e) {
            throw new BackendException(asked + "could not be run: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackendException(asked + "was interrupted.", e);
        }
    }

    /** What other programs on the way would ask finds no terminal, and neither does Ctrl-C find what runs for a session. */
    private List<String> begun() {
        List<String> words = new ArrayList<>(List.of(program.toString()));
        if (new File(ALONE).canExecute()) {
            words.add(0, ALONE);
        }
        return words;
    }

    /** Returns the words of ssh up to the line that a shell of the login node runs. */
    List<String> words(List<String> more) {
        List<String> words = begun();
        words.addAll(more);
        words.addAll(ALWAYS);
        words.addAll(List.of("-o", "ConnectTimeout=" + target.connectLimit().toSeconds()));
        if (settings.containsKey(STDIN_NULL)) {
            words.addAll(WHERE_KNOWN);
        }
        if (settings.containsKey(CONTROL_PATH)) {
            // An open connection is used; ours would take others with it when it ends.
            words.addAll(List.of("-o", "ControlMaster=no"));
        }
        words.addAll(target.options().words());
        words.addAll(List.of("--", target.options().host()));
        return words;
    }

    private List<String> shared(boolean isOwner, Duration connectLimit) {
        List<String> more = new ArrayList<>();
        socket.ifPresent(path -> more.addAll(List.of(
                "-o",
                "ControlPath=\"" + SshOptions.escaped(path) + "\"",
                "-o",
                "ControlMaster=" + (isOwner ? "yes" : "no"),
                "-o",
                "ControlPersist=no")));
        more.addAll(List.of("-o", "ConnectTimeout=" + Math.max(1, connectLimit.toSeconds())));
        return more;
    }

    @Override
    public SshTarget target() {
        return target;
    }

    @Override
    public String nearest() {
        if (nearest.containsKey("proxycommand")) {
            throw new BackendException("FBR-134 The way to the login node " + target.named() + " is 'ProxyCommand "
                    + nearest.get("proxycommand")
                    + "', so the address for jobs to dial is unknown. Name the interface by fiber.slurm.interface.");
        }
        return nearest.getOrDefault("hostname", "");
    }

    @Override
    public boolean isOpen() {
        ProgramExec owner = connection;
        return socket.isPresent() ? owner != null && owner.isAlive() : works;
    }

    @Override
    public void open(Duration limit) {
        works = true;
        if (socket.isEmpty()) {
            return;
        }
        close();
        List<String> more = shared(true, limit);
        more.add("-N");
        boolean isOpen = false;
        long deadlineNs = System.nanoTime() + limit.multipliedBy(2).toNanos();
        try {
            ProgramExec owner = new ProgramExec(words(more));
            connection = owner;
            while (!Files.exists(socket.get())) {
                if (!owner.isAlive()) {
                    throw failure(owner);
                }
                if (System.nanoTime() - deadlineNs > 0) {
                    throw SshFailures.unreachable(
                            target,
                            "the login timed out after " + limit.multipliedBy(2).toMillis() + " ms");
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_MS);
            }
            isOpen = true;
        } catch (IOException e) {
            throw SshFailures.unreachable(target, e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw SshFailures.unreachable(target, "the wait was interrupted");
        } finally {
            if (!isOpen) {
                close();
            }
        }
    }

    @Override
    public Exec start(String line, Duration connectLimit) throws IOException {
        List<String> words = words(shared(false, connectLimit));
        words.add(line);
        return new ProgramExec(words);
    }

    @Override
    public Optional<BackendException> notBegun(Exec ended) throws IOException, InterruptedException {
        ProgramExec owner = connection;
        if (socket.isPresent() && owner != null && owner.process.waitFor(END_LIMIT_MS, TimeUnit.MILLISECONDS)) {
            return Optional.empty();
        }
        works = false;
        return Optional.of(failure(ended));
    }

    private BackendException failure(Exec ended) throws IOException {
        int exitCode = ((ProgramExec) ended).process.exitValue();
        String errors = ended.errors();
        return SshFailures.ofProgram(
                target,
                new Commands.Answer(
                        exitCode, ended.output(), errors.substring(Math.max(0, errors.length() - MOST_SAID))));
    }

    @Override
    public Optional<Reader> reader() {
        return Optional.empty();
    }

    @Override
    public List<String> untilDone(List<String> words) {
        List<String> all = new ArrayList<>(List.of("/bin/sh", "-c", AGAIN, SshHost.LATER));
        all.addAll(words(List.of()));
        all.add(RemoteLine.of(
                "exec " + words.stream().map(BatchScript::quoted).collect(Collectors.joining(" ")) + " </dev/null"));
        return all;
    }

    @Override
    public void close() {
        ProgramExec owner = connection;
        if (owner != null) {
            owner.close();
        }
        try {
            // It would be gone in a moment.
            Files.deleteIfExists(directory.resolve(SOCKET));
        } catch (IOException e) {
            SshHost.log("A socket stays.", e);
        }
    }

    /** A process of ssh. */
    private final class ProgramExec implements Exec {
        private final Path output;
        private final Path errors;
        private final Process process;

        ProgramExec(List<String> words) throws IOException {
            output = Files.createTempFile(directory, "ssh", ".out");
            errors = Files.createTempFile(directory, "ssh", ".err");
            ProcessBuilder builder =
                    new ProcessBuilder(words).redirectOutput(output.toFile()).redirectError(errors.toFile());
            // It would hand them on, and the account there has its own language.
            builder.environment().keySet().removeIf(name -> name.startsWith("LC_") || name.startsWith("LANG"));
            builder.environment().remove(JobSpec.BOOTSTRAP_VARIABLE);
            builder.environment().putAll(Map.of("SSH_ASKPASS", "/bin/false", "SSH_ASKPASS_REQUIRE", "force"));
            try {
                process = builder.start();
            } catch (IOException e) {
                delete();
                throw e;
            }
        }

        @Override
        public OutputStream input() {
            return process.getOutputStream();
        }

        @Override
        public boolean isAlive() {
            return process.isAlive();
        }

        @Override
        public String output() throws IOException {
            return Files.readString(output, ISO_8859_1);
        }

        @Override
        public String errors() throws IOException {
            return Files.readString(errors, ISO_8859_1);
        }

        @Override
        public void close() {
            process.destroy();
            delete();
        }

        private void delete() {
            try {
                Files.deleteIfExists(output);
                Files.deleteIfExists(errors);
            } catch (IOException e) {
                SshHost.log("A file stays.", e);
            }
        }
    }
}
