// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.fiber.backend.support.batch.Commands;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.JobSpec;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The program {@code ssh}: one process for each line, over a connection that the first one opens, and leaves open for the others.
 * Their output goes to files, so that no thread has to read pipes.
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

    private static final String ALONE = "/usr/bin/setsid";
    private static final int END_LIMIT_MS = 1_000;
    private static final int MOST_SAID = 64 * 1024;
    /** While ssh makes the socket, its name is longer. */
    private static final int LONGEST_SOCKET_BYTES = 85;

    private final SshConfig config;
    private final Path program;
    private final Path directory;
    private final Path socket;

    ProgramWay(SshConfig config, Path directory) {
        this.config = config;
        this.program = config.program().orElseThrow(() -> SshFailures.withoutProgram(config));
        this.directory = directory;
        this.socket = directory.resolve("ssh");
    }

    /** Returns what starts the program so that it asks for nothing and hands on no language of this host. */
    static ProcessBuilder quiet(Path program, List<String> words) {
        List<String> all = new ArrayList<>(List.of(program.toString()));
        all.addAll(words);
        // What other programs on the way would ask finds no terminal, and Ctrl-C does not find what runs for a session.
        if (new File(ALONE).canExecute()) {
            all.add(0, ALONE);
        }
        ProcessBuilder builder = new ProcessBuilder(all);
        // It would hand them on, and the account there has its own language.
        builder.environment().keySet().removeIf(name -> name.startsWith("LC_") || name.startsWith("LANG"));
        builder.environment().remove(JobSpec.BOOTSTRAP_VARIABLE);
        builder.environment().putAll(Map.of("SSH_ASKPASS", "/bin/false", "SSH_ASKPASS_REQUIRE", "force"));
        return builder;
    }

    /** Returns the words of the program up to the line that a shell of the login node runs. */
    List<String> words(Duration connectLimit) {
        List<String> words = new ArrayList<>();
        if (config.value("controlpath").isPresent()) {
            // An open connection is used; ours would take others with it when it ends.
            words.addAll(List.of("-o", "ControlMaster=no"));
        } else if (hasSocket()) {
            words.addAll(List.of("-o", "ControlMaster=auto", "-o", "ControlPersist=60"));
            words.addAll(List.of("-o", "ControlPath=\"" + SshOptions.escaped(socket.toString()) + "\""));
        }
        words.addAll(ALWAYS);
        words.addAll(List.of("-o", "ConnectTimeout=" + Math.max(1, connectLimit.toSeconds())));
        if (config.value("stdinnull").isPresent()) {
            words.addAll(WHERE_KNOWN);
        }
        words.addAll(config.options().words());
        words.addAll(List.of("--", config.options().host()));
        return words;
    }

    private boolean hasSocket() {
        return SshConfig.IS_UNIX && socket.toString().getBytes(UTF_8).length <= LONGEST_SOCKET_BYTES;
    }

    /** The first line opens the connection. */
    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void open(Duration limit) {}

    @Override
    public Exec start(String line, Duration connectLimit) throws IOException {
        Path output = Files.createTempFile(directory, "ssh", ".out");
        Path errors = Files.createTempFile(directory, "ssh", ".err");
        List<String> words = words(connectLimit);
        words.add(line);
        Process process;
        try {
            process = quiet(program, words)
                    .redirectOutput(output.toFile())
                    .redirectError(errors.toFile())
                    .start();
        } catch (IOException e) {
            delete(output, errors);
            throw SshFailures.unreachable(config, e.toString());
        }
        return new Exec(
                process.getOutputStream(),
                () -> Files.readString(output, ISO_8859_1),
                () -> Files.readString(errors, ISO_8859_1),
                process::isAlive,
                process::exitValue,
                () -> {
                    process.destroy();
                    delete(output, errors);
                });
    }

    private static void delete(Path... files) {
        for (Path file : files) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                SshHost.log("A file stays.", e);
            }
        }
    }

    @Override
    public Optional<BackendException> notBegun(int exitCode, String output, String errors) {
        String last = errors.substring(Math.max(0, errors.length() - MOST_SAID));
        return SshFailures.ofProgram(config, new Commands.Answer(exitCode, output, last));
    }

    @Override
    public void close() {
        if (Files.exists(socket)) {
            try {
                List<String> words = new ArrayList<>(List.of("-O", "exit", "-o", "ControlPath=\"" + socket + "\""));
                words.addAll(List.of("-F", "none", "--", config.options().host()));
                quiet(program, words)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor(END_LIMIT_MS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (IOException e) {
                SshHost.log("A connection stays for a minute.", e);
            }
        }
    }
}
