// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.CreateVolumeCmd;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Mount;
import com.github.dockerjava.api.model.MountType;
import io.fiber.backend.support.PackedPath;
import io.fiber.backend.support.PackedPath.Packed;
import io.fiber.backend.support.SessionLabels;
import io.fiber.backend.support.Sha256;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A volume with the class path of a session. Its files are sent once, and every container reads them. A container that
 * is never started receives the files. The first files of a session go through {@link KeptClassPaths}, from which a
 * later session gets them without sending them. Waits for Docker. Thread-safe.
 */
final class ClassPathVolume implements AutoCloseable {

    static final String DIRECTORY = "/fiber/class-path";

    /** An empty file that is written last: if it exists, all others do. */
    private static final String LAST = "last";

    private static final String OWN_MODULE = "io.fiber.backend.docker";

    private final Engine engine;
    private final SessionLabels labels;
    private final Path scratch;
    private final PackedPath files;

    /** The content of the volume. */
    private final Set<String> places = new HashSet<>();

    private boolean made;

    /**
     * Creates it. Nothing is sent before it is needed.
     *
     * @param scratch a directory for jars that have to be created
     */
    ClassPathVolume(Engine engine, SessionLabels labels, Path scratch) {
        this.engine = engine;
        this.labels = labels;
        this.scratch = scratch;
        this.files = new PackedPath(scratch, "FBR-167", "Docker's host");
    }

    /**
     * A program as containers see it.
     *
     * @param program the program with the paths of containers
     * @param missing files that the volume does not have yet, by their place there
     * @param mounts how containers see the volume; empty if there is none
     */
    record Arrangement(Program program, SortedMap<String, Path> missing, List<Mount> mounts) {}

    /**
     * Puts the files that java reads for a submission's program into the volume. Workers do not get the client of
     * Docker.
     *
     * @param image any image that exists
     * @throws JobRejectedException FBR-167 if a file cannot be read or the volume cannot be filled
     */
    synchronized Arrangement place(Submission submission, String image) {
        Arrangement arrangement = arrange(submission);
        if (!arrangement.missing().isEmpty()) {
            send(arrangement.missing(), image);
            places.addAll(arrangement.missing().keySet());
        }
        return arrangement;
    }

    /**
     * Returns what {@link #place} would do, without sending anything.
     *
     * @throws JobRejectedException FBR-167 if a file cannot be read
     */
    synchronized Arrangement arrange(Submission submission) {
        SortedMap<String, Path> missing = new TreeMap<>();
        Program program = submission.spec().program();
        if (program instanceof Program.Java java) {
            PackedPath.Placed placed = files.placed(submission, java, OWN_MODULE, DIRECTORY);
            for (Packed each : placed.files()) {
                if (!places.contains(each.place())) {
                    missing.put(each.place(), each.file());
                }
            }
            program = placed.program();
        }
        return new Arrangement(program, missing, made || !missing.isEmpty() ? List.of(mount()) : List.of());
    }

    private Mount mount() {
        return new Mount()
                .withType(MountType.VOLUME)
                .withSource(labels.name())
                .withTarget(DIRECTORY)
                .withReadOnly(true);
    }

    private void send(SortedMap<String, Path> missing, String image) {
        try {
            boolean isNew = !made;
            if (isNew) {
                engine.ask(docker -> creation(docker).exec());
                made = true;
            }
            if (!isNew || !isCopied(missing)) {
                String porter = porter(image);
                try {
                    sendArchive(missing, "", tar -> engine.unpack(porter, DIRECTORY, tar));
                } finally {
                    engine.remove(porter);
                }
            }
        } catch (IOException | UncheckedIOException | Refusal e) {
            throw notSent(e);
        }
    }

    /**
     * Lets Docker copy the files into the empty volume from an image that an earlier session left, or that is created
     * now. Returns whether this worked: Docker may reject images, and Podman does not copy.
     */
    private boolean isCopied(SortedMap<String, Path> missing) throws IOException {
        // Places begin with digests of the content of the files.
        String digest = Sha256.of(String.join("\n", missing.keySet()));
        try {
            try {
                boolean isCopied = isCopied(digest);
                if (isCopied) {
                    say(missing, "is kept by Docker: 0 bytes were sent.");
                }
                return isCopied;
            } catch (Refusal e) {
                if (!e.isNotFound()) {
                    throw e;
                }
            }
            sendArchive(missing, DIRECTORY.substring(1) + "/", tar -> KeptClassPaths.add(engine, digest, tar));
            return isCopied(digest);
        } catch (Refusal | BackendUnavailableException e) {
            say(missing, "is not kept by Docker: " + e.getMessage());
            return false;
        }
    }

    /**
     * Lets Docker copy an image into the volume.
     *
     * @throws Refusal also if there is no such image
     */
    private boolean isCopied(String digest) throws IOException {
        String porter = porter(KeptClassPaths.image(digest));
        try {
            return engine.hasFile(porter, DIRECTORY + "/" + LAST);
        } finally {
            engine.remove(porter);
        }
    }

    private static void say(Map<String, Path> entries, String what) {
        System.getLogger(ClassPathVolume.class.getName())
                .log(Level.DEBUG, "The class path (" + entries.size() + " entries) " + what);
    }

    private static JobRejectedException notSent(Exception failure) {
        return new JobRejectedException(
                "FBR-167 The class path cannot be sent to Docker's host: " + failure
                        + ". Check the free disk space on this host and on Docker's (docker system df).",
                failure);
    }

    /** Returns whether the volume exists. */
    synchronized boolean isMade() {
        return made;
    }

    /** Returns the command that creates the volume. */
    CreateVolumeCmd creation(DockerClient docker) {
        return docker.createVolumeCmd().withName(labels.name()).withLabels(labels.ofSession());
    }

    /** Creates a container that has the volume and is never started. */
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
     * Sends an archive of files, which is on this host's disk meanwhile.
     *
     * @param prefix prefix of all places in it
     * @param sender sends what it reads
     */
    private void sendArchive(Map<String, Path> entries, String prefix, Consumer<InputStream> sender)
            throws IOException {
        Path archive = Files.createTempFile(scratch, "class-path", ".tar");
        try {
            try (Tar tar = new Tar(new BufferedOutputStream(Files.newOutputStream(archive)))) {
                for (Map.Entry<String, Path> entry : entries.entrySet()) {
                    tar.add(entry.getValue(), prefix + entry.getKey());
                }
                tar.addEmptyFile(prefix + LAST);
            }
            try (InputStream in = Files.newInputStream(archive)) {
                sender.accept(in);
            }
            say(entries, "was sent to Docker: " + Files.size(archive) + " bytes.");
        } finally {
            Files.delete(archive);
        }
    }

    /** Deletes the jars that were created. */
    @Override
    public void close() {
        files.close();
    }
}
