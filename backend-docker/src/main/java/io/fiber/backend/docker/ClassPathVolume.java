// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.CreateVolumeCmd;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Mount;
import com.github.dockerjava.api.model.MountType;
import io.fiber.backend.support.SessionLabels;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.ProgramFiles;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A volume of the session that has its class path: what is in it is sent once, and every container reads it. A container
 * that is never started takes the files in, what is first sent in a session by way of {@link KeptClassPaths}, from which a
 * later session has it without sending it. Thread-safe; waits for Docker.
 */
final class ClassPathVolume {

    static final String DIRECTORY = "/fiber/class-path";

    /** An empty file: where it is, all the others are. */
    private static final String LAST = "last";

    private final Engine engine;
    private final SessionLabels labels;
    private final Path scratch;

    /** Where entries are in the volume, by their names here. */
    private final Map<String, String> placed = new LinkedHashMap<>();

    private boolean made;

    /**
     * Creates it; nothing is sent before it is needed.
     *
     * @param scratch a directory for an archive while it is sent
     */
    ClassPathVolume(Engine engine, SessionLabels labels, Path scratch) {
        this.engine = engine;
        this.labels = labels;
        this.scratch = scratch;
    }

    /**
     * A program as containers see it.
     *
     * @param program with the paths of containers
     * @param missing what the volume does not have yet: where it goes, by its name here
     * @param mounts how containers see the volume; nothing when there is none
     */
    record Arrangement(Program program, Map<String, String> missing, List<Mount> mounts) {}

    /**
     * Puts what java reads for a program into the volume.
     *
     * @param program with paths as this host names them
     * @param image any image that is there
     * @throws JobRejectedException FBR-167 when a file cannot be read or the volume cannot be filled
     */
    synchronized Arrangement place(Program program, String image) {
        Arrangement arrangement = arrange(program);
        if (!arrangement.missing().isEmpty()) {
            send(arrangement.missing(), image);
            placed.putAll(arrangement.missing());
        }
        return arrangement;
    }

    /**
     * Returns what {@link #place} would do; sends nothing.
     *
     * @throws JobRejectedException FBR-167 when a file cannot be read
     */
    synchronized Arrangement arrange(Program program) {
        Map<String, String> missing = new LinkedHashMap<>();
        Program there = program instanceof Program.Java java ? moved(java, missing) : program;
        return new Arrangement(there, missing, made || !missing.isEmpty() ? List.of(mount()) : List.of());
    }

    private Program.Java moved(Program.Java program, Map<String, String> missing) {
        return new Program.Java(
                program.executable(),
                program.jvmOptions(),
                places(filesOf("The class path", () -> ProgramFiles.ofClassPath(program.classPath())), missing),
                places(filesOf("The module path", () -> ProgramFiles.ofModulePath(program.modulePath())), missing),
                program.main(),
                program.arguments());
    }

    /** Looks for the files of a path. */
    private interface Search {
        List<Path> files() throws FileSystemException;
    }

    private static List<Path> filesOf(String what, Search search) {
        try {
            return search.files();
        } catch (FileSystemException e) {
            throw notCopied(what, e);
        }
    }

    /** Returns where files are, in the same order, and notes those that are not there yet. */
    private List<String> places(List<Path> files, Map<String, String> missing) {
        List<String> places = new ArrayList<>();
        for (Path file : files) {
            String known = placed.get(file.toString());
            // The name stays as it is, for names of modules may come from it.
            String name = known != null
                    ? known
                    : missing.computeIfAbsent(
                            file.toString(), each -> placed.size() + missing.size() + "/" + file.getFileName());
            places.add(DIRECTORY + "/" + name);
        }
        return List.copyOf(places);
    }

    private Mount mount() {
        return new Mount()
                .withType(MountType.VOLUME)
                .withSource(labels.name())
                .withTarget(DIRECTORY)
                .withReadOnly(true);
    }

    private void send(Map<String, String> missing, String image) {
        try {
            boolean isNew = !made;
            makeVolume();
            if (!isNew || !isCopied(missing)) {
                try (Archive archive = archive(missing, "")) {
                    String porter = porter(image);
                    try (InputStream tar = archive.open()) {
                        engine.unpack(porter, DIRECTORY, tar);
                    } finally {
                        engine.remove(porter);
                    }
                    say(missing, "was sent to Docker: " + archive.bytes() + " bytes.");
                }
            }
        } catch (IOException | UncheckedIOException | Refusal e) {
            throw notCopied("The class path (" + missing.size() + " entries)", e);
        }
    }

    /**
     * Has Docker copy the files into the empty volume from the image that an earlier session has left, or from one that is
     * made now. Tells whether it has: it may refuse images, and Podman does not copy.
     */
    private boolean isCopied(Map<String, String> missing) throws IOException {
        try (Archive archive = archive(missing, DIRECTORY.substring(1) + "/")) {
            try {
                boolean isCopied = isCopied(archive.digest());
                if (isCopied) {
                    say(missing, "is kept by Docker: 0 bytes were sent.");
                }
                return isCopied;
            } catch (Refusal e) {
                if (!e.isNotFound()) {
                    throw e;
                }
            }
            try (InputStream tar = archive.open()) {
                KeptClassPaths.add(engine, archive.digest(), tar);
            }
            say(missing, "was sent to Docker: " + archive.bytes() + " bytes.");
            return isCopied(archive.digest());
        } catch (Refusal | BackendUnavailableException e) {
            say(missing, "is not kept by Docker: " + e.getMessage());
            return false;
        }
    }

    /**
     * Has Docker copy an image into the volume.
     *
     * @throws Refusal also when there is no such image
     */
    private boolean isCopied(String digest) throws IOException {
        String porter = porter(KeptClassPaths.image(digest));
        try {
            return engine.hasFile(porter, DIRECTORY + "/" + LAST);
        } finally {
            engine.remove(porter);
        }
    }

    private static void say(Map<String, String> entries, String what) {
        System.getLogger(ClassPathVolume.class.getName())
                .log(Level.DEBUG, "The class path (" + entries.size() + " entries) " + what);
    }

    private static JobRejectedException notCopied(String what, Exception failure) {
        return new JobRejectedException(
                "FBR-167 " + what + " cannot be copied to Docker's host: " + failure
                        + ". Every entry must be a jar or a directory that this program can read, and there must be"
                        + " room on the disk here and there (docker system df).",
                failure);
    }

    private void makeVolume() {
        if (!made) {
            engine.ask(docker -> creation(docker).exec());
            made = true;
        }
    }

    /** Tells whether the volume is there. */
    synchronized boolean isMade() {
        return made;
    }

    /** Returns the command that makes the volume. */
    CreateVolumeCmd creation(DockerClient docker) {
        return docker.createVolumeCmd().withName(labels.name()).withLabels(labels.ofSession());
    }

    /** Makes a container that has the volume and is never started. */
    private String porter(String image) {
        return engine.ask(docker -> docker.createContainerCmd(image)
                .withLabels(labels.ofSession())
                .withEntrypoint("never started")
                .withHostConfig(HostConfig.newHostConfig()
                        .withNetworkMode("none")
                        .withMounts(List.of(mount().withReadOnly(false))))
                .exec()
                .getId());
    }

    /**
     * An archive of entries on this host's disk, which is deleted with it.
     *
     * @param digest of the files and their places in it
     */
    private record Archive(Path file, String digest) implements AutoCloseable {
        InputStream open() throws IOException {
            return Files.newInputStream(file);
        }

        long bytes() throws IOException {
            return Files.size(file);
        }

        @Override
        public void close() throws IOException {
            Files.delete(file);
        }
    }

    /**
     * Writes an archive.
     *
     * @param prefix of all places in it
     */
    private Archive archive(Map<String, String> entries, String prefix) throws IOException {
        Path file = Files.createTempFile(scratch, "class-path", ".tar");
        try (Tar tar = new Tar(new BufferedOutputStream(Files.newOutputStream(file)))) {
            for (Map.Entry<String, String> entry : entries.entrySet()) {
                tar.add(Path.of(entry.getKey()), prefix + entry.getValue());
            }
            tar.addEmptyFile(prefix + LAST);
            return new Archive(file, tar.digest());
        } catch (IOException | RuntimeException e) {
            Files.delete(file);
            throw e;
        }
    }
}
