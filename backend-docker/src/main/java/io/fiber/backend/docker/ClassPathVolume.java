// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Mount;
import com.github.dockerjava.api.model.MountType;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.ProgramFiles;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A volume of the session that has its class path: what is in it is sent once, and every container reads it. A container
 * that is never started takes the files in. Thread-safe; waits for Docker.
 */
final class ClassPathVolume {

    static final String DIRECTORY = "/fiber/class-path";

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

    /** Returns how a container sees the volume; nothing when there is none. */
    synchronized List<Mount> mounts() {
        return made ? List.of(mount()) : List.of();
    }

    private Mount mount() {
        return new Mount()
                .withType(MountType.VOLUME)
                .withSource(labels.volume())
                .withTarget(DIRECTORY)
                .withReadOnly(true);
    }

    /**
     * Puts what java reads for a class path into the volume and returns it as a class path there.
     *
     * @param entries as this host names them
     * @param image any image that is there
     * @throws JobRejectedException FBR-167 when a file cannot be read or the volume cannot be filled
     */
    List<String> placeClassPath(List<String> entries, String image) {
        try {
            return place(ProgramFiles.ofClassPath(entries), image);
        } catch (FileSystemException e) {
            throw notCopied("The class path", e);
        }
    }

    /** The same of a module path. */
    List<String> placeModulePath(List<String> entries, String image) {
        try {
            return place(ProgramFiles.ofModulePath(entries), image);
        } catch (FileSystemException e) {
            throw notCopied("The module path", e);
        }
    }

    /** Puts into the volume what it does not have, and returns where all is, in the same order. */
    private synchronized List<String> place(List<Path> files, String image) {
        Map<String, String> missing = new LinkedHashMap<>();
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
        if (!missing.isEmpty()) {
            send(missing, image);
            placed.putAll(missing);
        }
        return List.copyOf(places);
    }

    private void send(Map<String, String> missing, String image) {
        try {
            Path archive = Files.createTempFile(scratch, "class-path", ".tar");
            try {
                try (Tar tar = new Tar(new BufferedOutputStream(Files.newOutputStream(archive)))) {
                    for (Map.Entry<String, String> entry : missing.entrySet()) {
                        tar.add(Path.of(entry.getKey()), entry.getValue());
                    }
                }
                makeVolume();
                unpack(archive, image);
            } finally {
                Files.delete(archive);
            }
        } catch (IOException | UncheckedIOException | Refusal e) {
            throw notCopied("The class path (" + missing.size() + " entries)", e);
        }
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
            engine.ask(docker -> docker.createVolumeCmd()
                    .withName(labels.volume())
                    .withLabels(labels.ofSession())
                    .exec());
            made = true;
        }
    }

    private void unpack(Path archive, String image) throws IOException {
        String porter = engine.ask(docker -> {
            CreateContainerCmd create = docker.createContainerCmd(image);
            return create.withLabels(labels.ofSession())
                    .withEntrypoint("never started")
                    .withHostConfig(HostConfig.newHostConfig()
                            .withNetworkMode("none")
                            .withMounts(List.of(mount().withReadOnly(false))))
                    .exec()
                    .getId();
        });
        try (InputStream tar = Files.newInputStream(archive)) {
            engine.unpack(porter, DIRECTORY, tar);
        } finally {
            engine.remove(porter);
        }
    }
}
