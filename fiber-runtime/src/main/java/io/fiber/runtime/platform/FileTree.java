// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Handles files and directories that other processes may remove at the same time, which is not an error here. */
public final class FileTree {

    private FileTree() {}

    /** Returns whether a file was last changed longer ago than this; false if it is gone. Does not follow links. */
    static boolean isOlder(Path file, Duration age) throws IOException {
        try {
            FileTime changed = Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS);
            return changed.toInstant().isBefore(Instant.now().minus(age));
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Removes {@code root} and its content. Links are removed, but not their targets. */
    public static void remove(Path root) throws IOException {
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw failure;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                    throws IOException {
                Files.deleteIfExists(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
