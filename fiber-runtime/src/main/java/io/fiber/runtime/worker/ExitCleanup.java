// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.runtime.platform.FileTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The files that this process must remove, however it ends: a program may call {@code System.exit}, and a worker
 * without a master halts. Only after a kill do others have to remove them. Thread-safe.
 */
public final class ExitCleanup {

    private static final int TRIES = 10;

    private final Set<Path> directories = ConcurrentHashMap.newKeySet();

    /** Removes a directory and its content at the end of this process. */
    public void add(Path directory) {
        directories.add(directory);
    }

    boolean isEmpty() {
        return directories.isEmpty();
    }

    /** Removes what is left. What cannot be removed is left to the next process that looks. */
    public void remove() {
        for (Path directory : directories) {
            // The conductor still runs, and may make and remove files meanwhile.
            for (int i = 0; i < TRIES && Files.isDirectory(directory); i++) {
                try {
                    FileTree.remove(directory);
                } catch (IOException e) {
                    // Tried again; the last failure is not reported, because this process is ending.
                }
            }
        }
    }
}
