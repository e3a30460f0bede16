// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the files of this host that contain a secret. It searches files written since this object was created, in the
 * directory of the fixture and not far below the usual directories of programs ({@code java.io.tmpdir}, {@code /tmp},
 * {@code /dev/shm}, the working directory). Not thread-safe.
 */
final class SecretCopies {

    private static final int DEEP = 20;
    private static final int NEAR = 3;
    private static final long MOST_BYTES = 1 << 20;
    /** File times are coarser than those of the clock. */
    private static final Duration COARSE = Duration.ofSeconds(2);

    private final Path fixture;
    private final SecretForms secret;
    private final Instant begin = Instant.now().minus(COARSE);

    SecretCopies(Path fixture, SecretForms secret) {
        this.fixture = fixture;
        this.secret = secret;
    }

    /** Returns the files that contain the secret now. */
    List<Path> all() {
        List<Path> found = new ArrayList<>();
        search(fixture, DEEP, found);
        List.of(System.getProperty("java.io.tmpdir"), "/tmp", "/dev/shm")
                .forEach(place -> search(Path.of(place), NEAR, found));
        search(Path.of("").toAbsolutePath(), 1, found);
        return found.stream().distinct().toList();
    }

    /** Returns those of them that other users can read. */
    List<Path> open() {
        return all().stream().filter(SecretCopies::isOpen).toList();
    }

    private void search(Path directory, int depth, List<Path> found) {
        try {
            Files.walkFileTree(directory, Set.of(), depth, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (attributes.isRegularFile()
                            && attributes.size() <= MOST_BYTES
                            && attributes.lastModifiedTime().toInstant().isAfter(begin)
                            && secret.areIn(contentOf(file))) {
                        found.add(file.toAbsolutePath());
                    }
                    return FileVisitResult.CONTINUE;
                }

                /** Ignores files that are gone meanwhile or belong to another user. */
                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failure) {
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) {
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("Files below " + directory + " cannot be read.", e);
        }
    }

    private static String contentOf(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    private static boolean isOpen(Path file) {
        try {
            if (!Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)) {
                return false;
            }
            for (Path above = file.getParent(); above != null; above = above.getParent()) {
                if (!Files.getPosixFilePermissions(above).contains(PosixFilePermission.OTHERS_EXECUTE)) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
