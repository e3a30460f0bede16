// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import io.fiber.ConfigurationException;
import io.fiber.FiberException;
import io.fiber.runtime.logging.Logs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The directory of one session on this host: {@code <tmp>/fiber-<user>/<session id>}, for this user alone. It records
 * the process that owns it, so that another session can remove it when that process is gone.
 *
 * <p>Thread-safe. The methods do file operations and block no longer than these take.
 */
public final class SessionDirectory implements AutoCloseable {

    private static final System.Logger LOG = Logs.of(SessionDirectory.class);
    private static final String OWNER = "owner";

    /** Linux shows it as owned by the user of this process. */
    private static final Path THIS_PROCESS = Path.of("/proc/self/task");

    /**
     * How old a directory without an owner's record must be before it is removed: its creator may be about to write the
     * record.
     */
    private static final Duration UNOWNED_AGE = Duration.ofMinutes(10);

    private static final int TRIES = 3;

    private static final int ID_LENGTH = 12;
    private static final String ID_CHARACTERS = "0123456789abcdefghijklmnopqrstuvwxyz";

    private final Path path;

    private SessionDirectory(Path path) {
        this.path = path;
    }

    /** Returns the random id of a session: {@code [a-z0-9]{12}}. */
    public static String newId() {
        SecureRandom random = new SecureRandom();
        StringBuilder id = new StringBuilder(ID_LENGTH);
        for (int i = 0; i < ID_LENGTH; i++) {
            id.append(ID_CHARACTERS.charAt(random.nextInt(ID_CHARACTERS.length())));
        }
        return id.toString();
    }

    /**
     * Creates the directory of a session, after removing those of sessions whose process is gone.
     *
     * @throws FiberException FBR-320 if it cannot be made
     */
    public static SessionDirectory open(String sessionId) {
        return open(defaultParent(), sessionId);
    }

    static SessionDirectory open(Path parent, String sessionId) {
        try {
            removeStale(parent);
            return create(parent, sessionId);
        } catch (IOException e) {
            throw new FiberException(
                    "FBR-320",
                    "The session's directory '" + parent.resolve(sessionId)
                            + "' (below java.io.tmpdir) cannot be made: " + reason(e),
                    e);
        }
    }

    /** Returns the reason of a fault. The JDK's message is often just the path; Fiber's own message is complete. */
    private static String reason(IOException fault) {
        String why = fault instanceof FileSystemException system ? system.getReason() : null;
        if (fault instanceof AccessDeniedException) {
            why = "this user has no write permission there";
        } else if (fault instanceof NoSuchFileException) {
            why = "the directory above it does not exist";
        } else if (fault instanceof FileAlreadyExistsException) {
            why = "it exists already";
        }
        if (why == null) {
            return fault.getMessage() == null ? fault + "." : fault.getMessage();
        }
        String path = fault instanceof FileSystemException system ? "'" + system.getFile() + "': " : "";
        return path + why + ". Free some space or make the directory writable, or name another one with"
                + " -Djava.io.tmpdir.";
    }

    /**
     * Returns a directory below {@code java.io.tmpdir} that processes of this user share. The first one creates and
     * owns it. When the owner has ended, the next caller removes the directory, even if others still use it. Other
     * directories of processes that are gone are removed, too, because processes without a session have no other
     * opportunity.
     *
     * @param made receives the directory if this process created it
     * @throws IOException if it cannot be made, or another user could write into it
     */
    public static Path shared(String name, Consumer<Path> made) throws IOException {
        Path parent = defaultParent();
        PrivateDirectory.createOrCheck(parent);
        removeStale(parent);
        Path path = parent.resolve(name);
        for (int left = TRIES; ; left--) {
            PrivateDirectory.createOrCheck(path);
            try {
                Files.write(path.resolve(OWNER), ProcessIdentity.current().lines(), StandardOpenOption.CREATE_NEW);
                made.accept(path);
                return path;
            } catch (FileAlreadyExistsException e) {
                // Another process was first.
                return path;
            } catch (NoSuchFileException e) {
                // Another process has just removed it as stale.
                if (left == 1) {
                    throw e;
                }
            }
        }
    }

    static SessionDirectory create(Path parent, String sessionId) throws IOException {
        PrivateDirectory.createOrCheck(parent);
        Path path = PrivateDirectory.create(parent.resolve(sessionId));
        Files.write(path.resolve(OWNER), ProcessIdentity.current().lines());
        return new SessionDirectory(path);
    }

    /**
     * Removes the directories of sessions whose process is gone, and returns their number. Directories of processes on
     * other hosts or in other containers that share the temporary directory stay. Does not follow links. If a directory
     * cannot be removed, this is logged.
     */
    public static int removeStale() {
        return removeStale(defaultParent());
    }

    static int removeStale(Path parent) {
        int removed = 0;
        if (!Files.isDirectory(parent, LinkOption.NOFOLLOW_LINKS)) {
            return removed;
        }
        try {
            // A user that could swap a directory for a link while it is being removed could have our own files removed.
            PrivateDirectory.check(parent);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "Stale directories in '" + parent + "' are not removed: " + e);
            return removed;
        }
        for (Path candidate : directoriesOf(parent)) {
            try {
                if (isStale(candidate) && removeIfStillStale(candidate)) {
                    removed++;
                }
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "The stale directory '" + candidate + "' cannot be removed: " + e);
            }
        }
        return removed;
    }

    /** Renames the directory first: meanwhile another process may have removed it and created a new one of that name. */
    private static boolean removeIfStillStale(Path stale) throws IOException {
        Path apart = Files.move(stale, stale.resolveSibling(newId()), StandardCopyOption.ATOMIC_MOVE);
        boolean isStill = false;
        try {
            isStill = isStale(apart);
        } finally {
            if (!isStill) {
                Files.move(apart, stale, StandardCopyOption.ATOMIC_MOVE);
            }
        }
        if (isStill) {
            FileTree.remove(apart);
        }
        return isStill;
    }

    private static List<Path> directoriesOf(Path parent) {
        List<Path> directories = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(parent)) {
            for (Path entry : entries) {
                if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                    directories.add(entry);
                }
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "Stale directories in '" + parent + "' cannot be listed: " + e);
        }
        return directories;
    }

    private static boolean isStale(Path directory) throws IOException {
        Optional<ProcessIdentity> owner = ProcessIdentity.read(directory.resolve(OWNER));
        return owner.isPresent() ? owner.get().isDead() : FileTree.isOlder(directory, UNOWNED_AGE);
    }

    private static Path defaultParent() {
        String tmp = System.getProperty("java.io.tmpdir");
        try {
            return Path.of(tmp, "fiber-" + user(System.getProperty("user.name", "")))
                    .toAbsolutePath()
                    .normalize();
        } catch (InvalidPathException e) {
            throw new ConfigurationException(
                    "FBR-126 The temporary directory '" + tmp
                            + "' (from java.io.tmpdir) cannot be used: this JVM writes file names in "
                            + System.getProperty("sun.jnu.encoding")
                            + ", which lacks a character of this name. Set LC_ALL=C.UTF-8 before the JVM starts, or"
                            + " set -Djava.io.tmpdir to a directory whose name has only ASCII characters.",
                    e);
        }
    }

    /**
     * Returns a file name for a user: the user's name if it is plain, otherwise the number. A container's user may have
     * no name, which the JVM shows as {@code ?}; all of them would share a directory that only one can enter.
     */
    static String user(String name) {
        String plain = withoutSpecials(name);
        if (!name.isEmpty() && plain.equals(name)) {
            return name;
        }
        try {
            return Files.getAttribute(THIS_PROCESS, "unix:uid").toString();
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return plain;
        }
    }

    private static String withoutSpecials(String name) {
        StringBuilder safe = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            safe.append(isPlain(c) ? c : '_');
        }
        return safe.toString();
    }

    private static boolean isPlain(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    }

    public Path path() {
        return path;
    }

    /** Removes the directory with its content. Idempotent. */
    @Override
    public void close() {
        try {
            FileTree.remove(path);
        } catch (IOException e) {
            throw new UncheckedIOException("The session's directory '" + path + "' cannot be removed: " + e, e);
        }
    }
}
