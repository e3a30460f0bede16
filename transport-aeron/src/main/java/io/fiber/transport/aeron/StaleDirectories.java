// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Removes driver directories of this user that killed processes have left. */
final class StaleDirectories {

    /** File times are coarser than the clock of processes. */
    private static final Duration CLOCK_SLACK = Duration.ofSeconds(2);

    /** How long a process may take from creating its directory to its driver's file. */
    private static final Duration START_LIMIT = Duration.ofMinutes(1);

    private StaleDirectories() {}

    /** The evidence that a process is gone. */
    enum Witness {
        /** Its process id is free, and its driver is silent as well, because it may run in another pid namespace. */
        NUMBER_AND_HEARTBEAT,
        /** Its process id is free, which is enough for a process that was started from here. */
        NUMBER
    }

    static void remove(Path parent, Path own, Witness witness) {
        try {
            String prefix = DriverDirectory.PREFIX + DriverDirectory.userOf(own) + "-";
            for (Path entry : ours(parent, own, prefix)) {
                if (isStale(entry, prefix, witness)) {
                    removeStale(entry);
                }
            }
        } catch (IOException e) {
            DebugLog.write("Directories left behind in " + parent + " could not be removed.", e);
        }
    }

    /** If one cannot be removed, the others still are. */
    private static void removeStale(Path entry) {
        try {
            deleteTree(entry);
            DebugLog.write("Removed " + entry + ", left behind by a process that has ended.");
        } catch (IOException e) {
            DebugLog.write("Directory " + entry + ", left behind by a process that has ended, was not removed.", e);
        }
    }

    /**
     * Returns the directories of this user below a parent whose names have this prefix; empty if owners cannot be
     * determined.
     */
    static List<Path> ours(Path parent, Path own, String prefix) throws IOException {
        if (!DirectoryIdentity.isSupported(parent) || !DirectoryIdentity.isSupported(own)) {
            return List.of();
        }
        int uid = DirectoryIdentity.userNumber(own);
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent, entry -> isOurs(entry, prefix, uid))) {
            entries.forEach(found::add);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return found;
    }

    private static boolean isOurs(Path entry, String prefix, int uid) throws IOException {
        try {
            return entry.getFileName().toString().startsWith(prefix)
                    && Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)
                    && DirectoryIdentity.of(entry).uid() == uid;
        } catch (NoSuchFileException e) {
            return false; // Another process has just removed it.
        }
    }

    /** A name ends with {@code <session>-<pid>} or {@code <session>-<pid>-<n>}. */
    private static boolean isStale(Path entry, String prefix, Witness witness) {
        String rest = entry.getFileName().toString().substring(prefix.length());
        int dash = rest.indexOf('-');
        if (dash < 0) {
            return false;
        }
        int end = rest.indexOf('-', dash + 1);
        try {
            long pid = Long.parseLong(rest.substring(dash + 1, end < 0 ? rest.length() : end));
            return witness == Witness.NUMBER ? ProcessHandle.of(pid).isEmpty() : isGone(pid, entry);
        } catch (NumberFormatException | IOException e) {
            return false;
        }
    }

    /**
     * A process is gone if its process id is free, or if the process with that id started after the directory was last
     * written. Shared memory may be visible in another pid namespace, where the id says nothing. But a live driver
     * writes the time into its file, and a new directory without that file is left alone.
     */
    private static boolean isGone(long pid, Path entry) throws IOException {
        Path cnc = DriverDirectory.inner(entry).resolve(HeartbeatFile.NAME);
        boolean hasBegun = Files.exists(cnc);
        FileTime written = Files.getLastModifiedTime(hasBegun ? cnc : entry);
        boolean mayBegin =
                !hasBegun && written.toInstant().isAfter(Instant.now().minus(START_LIMIT));
        if (mayBegin || HeartbeatFile.isBeating(cnc)) {
            return false;
        }
        Optional<ProcessHandle> process = ProcessHandle.of(pid);
        if (process.isEmpty()) {
            return true;
        }
        Optional<Instant> start = process.get().info().startInstant();
        return start.isPresent() && start.get().minus(CLOCK_SLACK).isAfter(written.toInstant());
    }

    /** Removes a directory with all its content, even if another process does the same meanwhile. */
    static void deleteTree(Path directory) throws IOException {
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
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
            public FileVisitResult postVisitDirectory(Path visited, java.io.IOException failure) throws IOException {
                Files.deleteIfExists(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
