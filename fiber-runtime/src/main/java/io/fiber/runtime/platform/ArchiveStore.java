// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The directory of archives, shared by several processes. Each key has {@code .jsa}, the archive; {@code .txt}, its
 * size and purpose; and, for a while, {@code .training} or {@code .failed}.
 *
 * <p>The size is checked before an archive is returned, because JDK 17 crashes with SIGBUS if one is truncated.
 */
final class ArchiveStore {

    static final int MOST_ARCHIVES = 20;
    static final long MOST_BYTES = 1L << 30;

    private static final Duration TRAINING_AGE = Duration.ofMinutes(10);
    private static final Duration FAILED_AGE = Duration.ofDays(1);
    private static final Duration USE_GRANULARITY = Duration.ofHours(12);

    private final Path directory;

    /** Opens a directory that belongs to this user alone, because an archive is code. */
    ArchiveStore(Path directory) {
        this.directory = directory;
    }

    /** Returns the archive of a key, if it exists and is complete. */
    Optional<Path> find(ArchiveKey key) throws IOException {
        Path archive = file(key, ".jsa");
        Path label = file(key, ".txt");
        try {
            if (!Files.readString(label).equals(label(key, Files.size(archive)))) {
                return Optional.empty();
            }
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        if (FileTree.isOlder(label, USE_GRANULARITY)) {
            Files.setLastModifiedTime(label, FileTime.from(Instant.now()));
        }
        return Optional.of(archive);
    }

    /** Returns whether the caller is the one process that makes the archive; it must then call {@link #release}. */
    boolean claim(ArchiveKey key) throws IOException {
        Path failed = file(key, ".failed");
        if (Files.exists(failed) && !FileTree.isOlder(failed, FAILED_AGE)) {
            return false;
        }
        Path marker = file(key, ".training");
        for (int attempt = 0; attempt < 2; attempt++) {
            try {
                Files.write(marker, ProcessIdentity.current().lines(), StandardOpenOption.CREATE_NEW);
                return true;
            } catch (FileAlreadyExistsException e) {
                if (!isAbandoned(marker)) {
                    return false;
                }
                Files.deleteIfExists(marker);
            }
        }
        return false;
    }

    private static boolean isAbandoned(Path marker) throws IOException {
        boolean isDead =
                ProcessIdentity.read(marker).map(ProcessIdentity::isDead).orElse(false);
        return isDead || Files.notExists(marker) || FileTree.isOlder(marker, TRAINING_AGE);
    }

    void release(ArchiveKey key) throws IOException {
        Files.deleteIfExists(file(key, ".training"));
    }

    /** Records that an archive cannot be made, so that not every start tries again. */
    void markFailed(ArchiveKey key) throws IOException {
        Files.writeString(file(key, ".failed"), key.description());
    }

    Path temporary(ArchiveKey key) {
        return file(key, "-" + ProcessHandle.current().pid() + ".tmp");
    }

    /** Publishes a complete archive, and removes those that were unused for the longest time. */
    void publish(ArchiveKey key, Path written) throws IOException {
        Path label = file(key, "-" + ProcessHandle.current().pid() + "-label.tmp");
        Files.writeString(label, label(key, Files.size(written)));
        Files.move(written, file(key, ".jsa"), StandardCopyOption.ATOMIC_MOVE);
        Files.move(label, file(key, ".txt"), StandardCopyOption.ATOMIC_MOVE);
        Files.deleteIfExists(file(key, ".failed"));
        trim();
    }

    private void trim() throws IOException {
        List<Path> labels = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                String name = entry.toString();
                if (name.endsWith(".txt")) {
                    labels.add(entry);
                } else if (name.endsWith(".tmp") && FileTree.isOlder(entry, TRAINING_AGE)) {
                    Files.deleteIfExists(entry);
                }
            }
        }
        labels.sort(Comparator.comparingLong((Path label) -> label.toFile().lastModified())
                .reversed());
        long bytes = 0;
        for (int i = 0; i < labels.size(); i++) {
            String name = labels.get(i).toString();
            Path archive = Path.of(name.substring(0, name.length() - ".txt".length()) + ".jsa");
            bytes += archive.toFile().length();
            if (i >= MOST_ARCHIVES || bytes > MOST_BYTES) {
                Files.deleteIfExists(labels.get(i));
                Files.deleteIfExists(archive);
            }
        }
    }

    private static String label(ArchiveKey key, long sizeBytes) {
        return sizeBytes + " bytes\n" + key.description();
    }

    private Path file(ArchiveKey key, String suffix) {
        return directory.resolve(key.fileName() + suffix);
    }
}
