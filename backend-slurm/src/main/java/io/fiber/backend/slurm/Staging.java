// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.backend.slurm.ssh.SshHost;
import io.fiber.backend.support.PackedPath;
import io.fiber.backend.support.PackedPath.Packed;
import io.fiber.backend.support.batch.BatchScript;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Puts the class path of a program where the nodes see it: {@code class-path/<hash>/<name>} in the shared directory. A
 * file is sent once and serves later sessions, too; what no session has used for a month is removed. Thread-safe.
 */
final class Staging {

    private static final int UNUSED_DAYS = 30;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Pattern FREE = Pattern.compile("(\\d+)\\s+\\d+%");

    private final SshHost host;
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

    Staging(SshHost host, Place place) {
        this.host = host;
        this.place = place;
    }

    /** Returns the directory that all nodes see. */
    Path directory() {
        return place.directory();
    }

    /**
     * Returns the spec as nodes can run it, after what they lack was sent.
     *
     * @throws BackendUnavailableException FBR-156 when the files cannot be put there
     */
    JobSpec staged(JobSpec spec) {
        return staged(spec, this::send);
    }

    /** Returns the spec as nodes can run it once the files are there; sends nothing. */
    JobSpec asStaged(JobSpec spec) {
        return staged(spec, files -> {});
    }

    private JobSpec staged(JobSpec spec, Consumer<List<Packed>> sender) {
        if (!(spec.program() instanceof Program.Java program)) {
            return spec;
        }
        List<Packed> classPath = place.local().classPath(program.classPath());
        List<Packed> modulePath = place.local().modulePath(program.modulePath());
        List<Packed> all = new ArrayList<>(classPath);
        all.addAll(modulePath);
        sender.accept(all);
        return spec.toBuilder(new Program.Java(
                        Optional.of(program.executable().or(place::java).orElse("java")),
                        withoutArchive(program.jvmOptions()),
                        names(classPath),
                        names(modulePath),
                        program.main(),
                        program.arguments()))
                .build();
    }

    /** Deletes what was made here; what was sent stays for the next session. */
    void close() {
        place.local().close();
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
            List<Packed> lacking =
                    files.stream().filter(file -> missing.remove(key(file))).toList();
            if (!lacking.isEmpty()) {
                long beganNs = System.nanoTime();
                sendAll(lacking);
                log(lacking.size(), Duration.ofNanos(System.nanoTime() - beganNs));
            }
        } catch (IOException e) {
            throw notSent(files, e);
        }
    }

    /** Two files of one content may have different names. */
    private static String key(Packed file) {
        return file.hash() + "/" + file.name();
    }

    /** Returns the keys of those that are not there, and removes what was not used for long. */
    private Set<String> markAsUsed(List<Packed> files) throws IOException {
        String looks = files.stream()
                .map(file -> "look " + file.hash() + " " + BatchScript.quoted(file.name()))
                .distinct()
                .collect(Collectors.joining("\n"));
        String missing = host.script(
                "umask 077\nmkdir -p " + quoted(place.files()) + " && cd " + quoted(place.files()) + " || exit 1\n"
                        + "look() { if [ -f \"$1/$2\" ]; then touch \"$1\"; else echo \"$1/$2\"; fi; }\n" + looks
                        + "\nfind . -mindepth 1 -maxdepth 1 -mtime +" + UNUSED_DAYS
                        + " -exec rm -rf {} + >/dev/null 2>&1\nexit 0",
                LIMIT);
        return missing.lines().map(String::strip).collect(Collectors.toSet());
    }

    /** All go in one piece, and each has its name only when all of it is there. */
    private void sendAll(List<Packed> files) throws IOException {
        StringBuilder script = new StringBuilder("umask 077\npart=" + part() + "\nrm -rf \"$part\"\n"
                + "mkdir \"$part\" && cd \"$part\" && tar -xf - || exit 1\n"
                + "put() { if [ \"$(sha256sum <\"$1\" | cut -c1-64)\" = \"$2\" ]; then"
                + " mkdir -p ../\"$2\" && mv -f \"$1\" ../\"$2/$3\" || exit 1;"
                + " else echo 'what has arrived is not what was sent' >&2; exit 1; fi; }\n");
        for (int i = 0; i < files.size(); i++) {
            Packed file = files.get(i);
            script.append("put ").append(i).append(' ').append(file.hash()).append(' ');
            script.append(BatchScript.quoted(file.name())).append('\n');
        }
        List<Path> content = files.stream().map(Packed::file).toList();
        host.script(script + "cd .. && rm -rf \"$part\"", to -> TarArchive.write(content, to), LIMIT);
    }

    private String part() {
        return quoted(place.files().resolve(".part-" + place.sessionId()));
    }

    private BackendException notSent(List<Packed> files, IOException failure) {
        if (failure.getCause() instanceof BackendException reason) {
            return reason;
        }
        String free = free();
        removeParts();
        return new BackendUnavailableException(
                "FBR-156 The class path (" + files.size() + " files) cannot be put on the login node "
                        + host.target().named() + " into '" + place.files() + "': "
                        + failure.getMessage() + free
                        + ". Free some space there (df -h, quota -s), or set fiber.slurm.directory to another directory"
                        + " that can be written and that all nodes see.",
                failure);
    }

    private void removeParts() {
        try {
            host.script("rm -rf " + part(), LIMIT);
        } catch (IOException e) {
            log("Parts of files stay for a month.", e);
        }
    }

    private String free() {
        try {
            Matcher free = FREE.matcher(host.script("df -Pk -- " + quoted(place.directory()), LIMIT));
            return free.find() ? " (" + free.group(1) + " KiB are free there)" : "";
        } catch (IOException e) {
            return "";
        }
    }

    private static String quoted(Path path) {
        return BatchScript.quoted(path.toString());
    }

    private void log(int files, Duration time) {
        System.getLogger(Staging.class.getName())
                .log(
                        Level.DEBUG,
                        "Sent " + files + " files of the class path to the login node "
                                + host.target().named() + " in " + time.toMillis() + " ms.");
    }

    private static void log(String message, IOException cause) {
        System.getLogger(Staging.class.getName()).log(Level.DEBUG, message, cause);
    }
}
