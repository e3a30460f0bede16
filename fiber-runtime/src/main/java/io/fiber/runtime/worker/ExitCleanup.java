// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * What this process must not leave behind, however it ends: a program may call {@code System.exit}, and a worker whose
 * master is gone halts. Only a kill is left to others. Thread-safe.
 */
public final class ExitCleanup {

    private static final int TRIES = 10;

    private final Set<Path> directories = ConcurrentHashMap.newKeySet();

    /** Removes a directory, with all its content, at the end of this process. */
    public void add(Path directory) {
        directories.add(directory);
    }

    /** Removes what is still there; what cannot be removed is left to the next process that looks. */
    public void remove() {
        for (Path directory : directories) {
            for (int i = 0; i < TRIES && Files.isDirectory(directory); i++) {
                remove(directory);
            }
        }
    }

    /** The conductor still runs, and may make and remove files meanwhile. */
    private static void remove(Path directory) {
        try (Stream<Path> walk = Files.walk(directory)) {
            List<Path> deepestFirst = walk.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | UncheckedIOException e) {
            // Tried again; the last failure is not reported, for this process is ending.
        }
    }
}
