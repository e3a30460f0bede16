// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import com.jcraft.jsch.ChannelSftp;
import com.jcraft.jsch.SftpException;
import io.fiber.backend.slurm.PackedPath.Packed;
import io.fiber.backend.slurm.SshConnection.SessionLostException;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Puts the class path of a program where the nodes see it: {@code class-path/<hash>/<name>} in the shared directory. A
 * file is sent once and serves later sessions, too; what no session has used for a month is removed. Thread-safe.
 */
final class Staging {

    private static final int UNUSED_DAYS = 30;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final byte[] NOTHING = new byte[0];

    private final SshConnection connection;
    private final SshShell shell;
    private final SftpChannel sftp;
    private final Place place;

    /**
     * Where and how.
     *
     * @param directory that all nodes see
     * @param sessionId of the session
     * @param java that nodes run, if the user named one
     * @param local turns entries into files
     */
    record Place(Path directory, String sessionId, Optional<String> java, PackedPath local) {
        Path files() {
            return directory.resolve("class-path");
        }

        Path of(Packed packed) {
            return files().resolve(packed.hash()).resolve(packed.name());
        }
    }

    Staging(SshConnection connection, SshShell shell, Place place) {
        this.connection = connection;
        this.shell = shell;
        // Of its own, so that a large file does not keep the watch from looking.
        this.sftp = new SftpChannel(connection);
        this.place = place;
    }

    /**
     * Returns the spec as nodes can run it, after what they lack was sent.
     *
     * @throws BackendUnavailableException FBR-156 when the files cannot be put there
     */
    JobSpec staged(JobSpec spec) {
        if (!(spec.program() instanceof Program.Java program)) {
            return spec;
        }
        List<Packed> classPath = place.local().classPath(program.classPath());
        List<Packed> modulePath = place.local().modulePath(program.modulePath());
        List<Packed> all = new ArrayList<>(classPath);
        all.addAll(modulePath);
        send(all);
        return withProgram(
                spec,
                new Program.Java(
                        Optional.of(program.executable().or(place::java).orElse("java")),
                        withoutArchive(program.jvmOptions()),
                        names(classPath),
                        names(modulePath),
                        program.main(),
                        program.arguments()));
    }

    /** Deletes what was made here; what was sent stays for the next session. */
    void close() {
        place.local().close();
    }

    private static JobSpec withProgram(JobSpec spec, Program program) {
        JobSpec.Builder builder = JobSpec.builder(program)
                .resources(spec.resources())
                .volumes(spec.volumes())
                .labels(spec.labels())
                .environment(spec.environment())
                .output(spec.output());
        spec.image().ifPresent(builder::image);
        spec.workingDirectory().ifPresent(builder::workingDirectory);
        spec.timeLimit().ifPresent(builder::timeLimit);
        return builder.build();
    }

    /** A class-data archive fits one JVM and one class path, and both are others there. */
    private static List<String> withoutArchive(List<String> options) {
        return options.stream()
                .filter(option -> !option.startsWith("-XX:SharedArchiveFile="))
                .toList();
    }

    private List<String> names(List<Packed> files) {
        return files.stream().map(place::of).map(Path::toString).toList();
    }

    private synchronized void send(List<Packed> files) {
        if (files.isEmpty()) {
            return;
        }
        try {
            Set<String> missing = markAsUsed(files);
            long beganNs = System.nanoTime();
            long bytes = 0;
            for (Packed file : files) {
                if (missing.remove(key(file))) {
                    send(file);
                    bytes += Files.size(file.file());
                }
            }
            if (bytes > 0) {
                log(bytes, Duration.ofNanos(System.nanoTime() - beganNs));
            }
        } catch (IOException e) {
            throw notSent(files, e);
        }
    }

    /** Two files of one content may have different names. */
    private static String key(Packed file) {
        return file.hash() + "/" + file.name();
    }

    /** Returns the keys of those that are not there, and removes what nobody has used for long. */
    private Set<String> markAsUsed(List<Packed> files) throws IOException {
        String looks = files.stream()
                .map(file -> "look " + file.hash() + " " + JobScript.quoted(file.name()))
                .distinct()
                .collect(Collectors.joining("\n"));
        String missing = shell.script(
                "umask 077\nmkdir -p " + quoted(place.files()) + " && cd " + quoted(place.files()) + " || exit 1\n"
                        + "look() { if [ -f \"$1/$2\" ]; then touch \"$1\"; else echo \"$1/$2\"; fi; }\n" + looks
                        + "\nfind . -mindepth 1 -maxdepth 1 -mtime +" + UNUSED_DAYS
                        + " -exec rm -rf {} + >/dev/null 2>&1\nexit 0",
                NOTHING,
                LIMIT);
        return missing.lines().map(String::strip).collect(Collectors.toSet());
    }

    /** It has its name only when all of it is there. */
    private void send(Packed file) throws IOException {
        Path part = place.files().resolve(".part-" + place.sessionId() + "-" + file.hash());
        sftp.run("put", channel -> {
            try (InputStream content = Files.newInputStream(file.file())) {
                channel.put(content, SftpChannel.name(part), ChannelSftp.OVERWRITE);
                return true;
            }
        });
        String name = quoted(part);
        shell.script(
                "umask 077; cd " + quoted(place.files()) + " || exit 1; if [ \"$(sha256sum <" + name
                        + " | cut -c1-64)\" = " + file.hash() + " ]; then mkdir -p " + file.hash() + " && mv -f " + name
                        + " " + file.hash() + "/" + JobScript.quoted(file.name()) + "; else rm -f " + name
                        + "; echo 'what has arrived is not what was sent' >&2; exit 1; fi",
                NOTHING,
                LIMIT);
    }

    private BackendException notSent(List<Packed> files, IOException failure) {
        if (failure.getCause() instanceof BackendException reason) {
            return reason;
        }
        if (failure instanceof SessionLostException lost) {
            return lost.inWords();
        }
        removeParts();
        return new BackendUnavailableException(
                "FBR-156 The class path (" + files.size() + " files) cannot be put on the login node "
                        + SshFailures.named(connection.target()) + " into '" + place.files() + "': "
                        + failure.getMessage() + free()
                        + ". Free some space there (df -h, quota -s), or set fiber.slurm.directory to another directory"
                        + " that can be written and that all nodes see.",
                failure);
    }

    private void removeParts() {
        try {
            shell.script("rm -f " + quoted(place.files()) + "/.part-" + place.sessionId() + "-*", NOTHING, LIMIT);
        } catch (IOException e) {
            log("Parts of files stay for a month.", e);
        }
    }

    /** SFTP has no word for a disk that is full. */
    private String free() {
        try {
            return sftp.run("df", channel -> {
                try {
                    return " ("
                            + channel.statVFS(SftpChannel.name(place.directory()))
                                    .getAvailForNonRoot() + " KiB are free there)";
                } catch (SftpException e) {
                    return "";
                }
            });
        } catch (IOException e) {
            return "";
        }
    }

    private static String quoted(Path path) {
        return JobScript.quoted(path.toString());
    }

    private void log(long bytes, Duration time) {
        System.getLogger(Staging.class.getName())
                .log(
                        Level.DEBUG,
                        "Sent " + bytes + " bytes of the class path to the login node "
                                + SshFailures.named(connection.target()) + " in " + time.toMillis() + " ms.");
    }

    private static void log(String message, IOException cause) {
        System.getLogger(Staging.class.getName()).log(Level.DEBUG, message, cause);
    }
}
