// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import com.jcraft.jsch.JSch;
import io.fiber.backend.support.PackedPath;
import io.fiber.backend.support.batch.Commands;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.JobSpec;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A login node, reached by one session of SSH: what is different there from this host. Thread-safe. */
final class SshLogin implements AutoCloseable {

    private final SshConnection connection;
    private final Staging staging;

    private SshLogin(SshConnection connection, Staging staging) {
        this.connection = connection;
        this.staging = staging;
    }

    /**
     * Opens the session and finds out whether Slurm can be used there.
     *
     * @param programs of Slurm that must be there
     * @throws BackendException FBR-150 to FBR-155 or FBR-158; nothing stays open then
     */
    static Login open(BackendContext context, SshOptions options, SiteOptions site, List<String> programs) {
        Path here = Path.of(System.getProperty("user.home"));
        SshConnection connection = new SshConnection(SshTarget.of(options, here, context.environment()));
        try {
            SshCommands commands = SshCommands.of(connection, programs, site::leavesToTheUser);
            SftpChannel sftp = new SftpChannel(connection);
            sftp.check();
            Staging.Place place = new Staging.Place(
                    SiteOptions.remoteDirectory(context.options(), commands.home()),
                    context.sessionId(),
                    site.java(),
                    new PackedPath(context.directory(), "FBR-159", "the login node"));
            return new Login(
                    commands,
                    new SshFiles(connection, commands.shell(), sftp),
                    commands.home(),
                    words -> reaper(options, words),
                    words -> runLater(connection.target(), reaper(options, words)),
                    Optional.empty(),
                    Optional.of(new SshLogin(connection, new Staging(connection, commands.shell(), place))));
        } catch (RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** Returns a small program that outlives this process and opens a session of its own. */
    private static List<String> reaper(SshOptions options, List<String> words) {
        List<String> all = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                Stream.of(SshReaper.class, Commands.class, BackendException.class, JSch.class)
                        .map(SshLogin::origin)
                        .distinct()
                        .collect(Collectors.joining(File.pathSeparator)),
                SshReaper.class.getName()));
        all.addAll(SshReaper.arguments(options, words));
        return all;
    }

    private static String origin(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        try {
            return Path.of(source.getLocation().toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the spec as nodes can run it, after files of this host were put where nodes see them. */
    JobSpec staged(JobSpec spec) {
        connection.tryNow();
        return staging.staged(spec);
    }

    /** Returns the spec as {@link #staged} does; nothing is put anywhere. */
    JobSpec asStaged(JobSpec spec) {
        return staging.asStaged(spec);
    }

    /** Returns the host by whose network this one is reached. */
    String host() {
        return connection.target().nearest().host();
    }

    /** From now on nothing is waited for when that host cannot be reached, and after this limit nothing at all. */
    void leave(Duration limit) {
        connection.leave(limit);
    }

    private static void runLater(SshTarget target, List<String> words) {
        try {
            new ProcessBuilder(words)
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            System.getLogger(SshLogin.class.getName())
                    .log(
                            System.Logger.Level.WARNING,
                            "What is left on the login node " + SshFailures.named(target) + " must be removed by hand: "
                                    + words,
                            e);
        }
    }

    @Override
    public void close() {
        staging.close();
        connection.close();
    }
}
