// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.fiber.spi.transport.TransportException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a directory that another process created, and verifies that only its user can access it.
 *
 * @param inode the directory's inode number
 * @param uid the numeric id of its owner
 */
record DirectoryIdentity(long inode, int uid) {

    private static final int PERMISSION_BITS = 0777;
    private static final int OWNER_ONLY = 0700;

    /** Linux shows it as owned by the user of the process. */
    private static final Path THIS_PROCESS = Path.of("/proc/self/task");

    /** Returns whether the file system provides what the verification needs. */
    static boolean isSupported(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("unix");
    }

    static DirectoryIdentity of(Path directory) throws IOException {
        return Found.read(directory).identity();
    }

    /**
     * Returns the numeric id of the user of this process.
     *
     * @param own where this process has its files, from which the user is found if there is no other way; on Linux it
     *     may be a directory of all users, such as {@code /tmp}
     */
    static int userNumber(Path own) throws IOException {
        return of(Files.exists(THIS_PROCESS) ? THIS_PROCESS : own).uid();
    }

    /**
     * Verifies that {@code directory} is the expected one.
     *
     * @param own where this process has its files
     * @throws TransportException (BAD_ADDRESS) if it is another directory, or if another user could access it
     */
    void prove(Path directory, Path own) {
        String found = difference(directory, own);
        if (found != null) {
            throw new TransportException(
                    TransportException.Kind.BAD_ADDRESS,
                    "Fiber cannot verify that the shared memory at '" + directory
                            + "' belongs to the inviting process: " + found
                            + ". Expected a directory with inode " + inode + ", owned by uid " + uid
                            + ", mode 0700, of the user of this process. If the job runs in a container, under"
                            + " another user or on another host, its backend must report the reach NETWORK.");
        }
    }

    private @Nullable String difference(Path directory, Path own) {
        try {
            if (!isSupported(directory)) {
                return "this platform has no inodes";
            }
            Found found = Found.read(directory);
            int myUid = userNumber(own);
            if (!found.isDirectory()) {
                return "it is not a directory";
            }
            if (found.identity().uid() != myUid || uid != myUid) {
                return "it belongs to uid " + found.identity().uid() + ", the address says " + uid
                        + ", this process is uid " + myUid;
            }
            if (found.permissions() != OWNER_ONLY) {
                return "its mode is 0" + Integer.toOctalString(found.permissions());
            }
            if (found.identity().inode() != inode) {
                return "its inode is " + found.identity().inode();
            }
            return null;
        } catch (NoSuchFileException e) {
            return "'" + e.getFile() + "' does not exist here";
        } catch (IOException e) {
            return "it cannot be examined (" + e + ")";
        }
    }

    /** What the file system reports. */
    private record Found(DirectoryIdentity identity, int permissions, boolean isDirectory) {

        static Found read(Path path) throws IOException {
            Map<String, Object> attributes =
                    Files.readAttributes(path, "unix:ino,uid,mode,isDirectory", LinkOption.NOFOLLOW_LINKS);
            if (attributes.get("ino") instanceof Long inode
                    && attributes.get("uid") instanceof Integer uid
                    && attributes.get("mode") instanceof Integer mode) {
                return new Found(
                        new DirectoryIdentity(inode, uid),
                        mode & PERMISSION_BITS,
                        Boolean.TRUE.equals(attributes.get("isDirectory")));
            }
            throw new IOException("the file system does not report the inode, uid and mode of '" + path + "'");
        }
    }
}
