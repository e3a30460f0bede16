// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A temporary directory of mode 0700 that a fixture owns. It is created on open and removed with all its content on
 * close. Thread-safe.
 */
public final class FixtureDirectory implements AutoCloseable {

    private final Path path;

    private FixtureDirectory(Path path) {
        this.path = path;
    }

    /**
     * Creates a new directory.
     *
     * @throws UncheckedIOException if it cannot be created
     */
    public static FixtureDirectory open() {
        return openIn(Path.of(System.getProperty("java.io.tmpdir")));
    }

    /**
     * Creates a new directory in another place than that for temporary files, for example for a socket whose path must
     * be short.
     *
     * @throws UncheckedIOException if it cannot be created
     */
    public static FixtureDirectory openIn(Path parent) {
        try {
            return new FixtureDirectory(Files.createTempDirectory(
                    parent,
                    "fiber-tck-",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot make a temporary directory for the fixture.", e);
        }
    }

    /** Returns its path. */
    public Path path() {
        return path;
    }

    /** Returns what is below {@code directory}, as relative paths; empty if it does not exist. */
    public static List<String> contentOf(Path directory) {
        if (!Files.exists(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> !file.equals(directory))
                    .map(file -> directory.relativize(file).toString())
                    .sorted()
                    .toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of("(cannot be listed: " + e.getMessage() + ")");
        }
    }

    /**
     * Removes the directory with all its content. Idempotent.
     *
     * @throws UncheckedIOException if something cannot be removed
     */
    @Override
    public void close() {
        delete(path);
    }

    /**
     * Removes a directory with all its content, if it exists.
     *
     * @throws UncheckedIOException if something cannot be removed
     */
    public static void delete(Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The fixture's directory " + directory + " cannot be removed (" + e
                            + "). The fixture must be idle before it closes; see BackendFixture.close.",
                    e);
        }
    }
}
