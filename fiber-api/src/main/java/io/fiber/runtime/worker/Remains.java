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
final class Remains {

    private final Set<Path> directories = ConcurrentHashMap.newKeySet();

    /** Removes a directory, with all its content, at the end of this process. */
    void add(Path directory) {
        directories.add(directory);
    }

    /** Removes what is still there; what cannot be removed is left to the next process that looks. */
    void remove() {
        for (Path directory : directories) {
            if (Files.isDirectory(directory)) {
                remove(directory);
            }
        }
    }

    private static void remove(Path directory) {
        try (Stream<Path> walk = Files.walk(directory)) {
            List<Path> deepestFirst = walk.sorted(Comparator.reverseOrder()).toList();
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | UncheckedIOException e) {
            // This process is ending: there is nobody to tell.
        }
    }
}
