// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Directories that only this user may enter. If the file system has no such permissions (Windows), a directory has
 * those of its parent, which is the user's own profile there.
 */
final class PrivateDirectory {

    private static final Set<PosixFilePermission> OWNER_ONLY =
            Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private PrivateDirectory() {}

    /** Creates a directory, which must not exist, in an existing parent. */
    static Path create(Path path) throws IOException {
        return isPosix(path)
                ? Files.createDirectory(path, PosixFilePermissions.asFileAttribute(OWNER_ONLY))
                : Files.createDirectory(path);
    }

    /** Creates a directory, or uses the existing one after {@link #check}. */
    static Path createOrCheck(Path path) throws IOException {
        try {
            return create(path);
        } catch (FileAlreadyExistsException e) {
            check(path);
            return path;
        }
    }

    /** Checks that a directory belongs to this user alone. The exception says what was found and what to do. */
    static void check(Path path) throws IOException {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            String what = Files.isSymbolicLink(path) ? "a symbolic link" : "not a directory";
            throw refused(path, "it is " + what);
        }
        if (!isPosix(path)) {
            return;
        }
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
        if (!permissions.equals(OWNER_ONLY)) {
            throw refused(path, "its permissions are " + PosixFilePermissions.toString(permissions));
        }
        // The mode is 0700, so only its owner and the superuser can write: any other user fails here.
        if (!Files.isWritable(path)) {
            throw refused(path, "it belongs to " + Files.getOwner(path, LinkOption.NOFOLLOW_LINKS));
        }
        checkOwner(path);
    }

    /** Compares the owner with that of a file we create, because a container's user may have no name to look up. */
    private static void checkOwner(Path path) throws IOException {
        Path probe = path.resolve(
                ".owner-" + ProcessHandle.current().pid() + "-" + Long.toUnsignedString(System.nanoTime(), 36));
        create(probe);
        try {
            Object ours = Files.getAttribute(probe, "unix:uid", LinkOption.NOFOLLOW_LINKS);
            Object theirs = Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
            if (!ours.equals(theirs)) {
                throw refused(path, "it belongs to " + Files.getOwner(path, LinkOption.NOFOLLOW_LINKS));
            }
        } finally {
            Files.deleteIfExists(probe);
        }
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("unix");
    }

    private static FileSystemException refused(Path path, String reason) {
        return new FileSystemException("'" + path + "' cannot hold files of this session, because " + reason
                + "; expected a directory of this user with permissions rwx------. Remove it, or set java.io.tmpdir"
                + " to a directory that other users cannot write.");
    }
}
