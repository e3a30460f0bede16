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
 * What proves that a directory is the same one that another process made, and that only its user gets in.
 *
 * @param inode the number of the directory in its file system
 * @param uid the number of the user who owns it
 */
record DirectoryIdentity(long inode, int uid) {

    private static final int PERMISSION_BITS = 0777;
    private static final int OWNER_ONLY = 0700;

    /** Linux shows it as owned by the user that the process runs as. */
    private static final Path THIS_PROCESS = Path.of("/proc/self/task");

    /** Tells whether the file system has what it takes to prove anything. */
    static boolean isSupported(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("unix");
    }

    static DirectoryIdentity of(Path directory) throws IOException {
        return Found.read(directory).identity();
    }

    /**
     * Returns the number of the user that this process runs as.
     *
     * @param own where this process has its files, which tells where nothing else does; on Linux it may be a directory of
     *     all users, such as {@code /tmp}
     */
    static int userNumber(Path own) throws IOException {
        return of(Files.exists(THIS_PROCESS) ? THIS_PROCESS : own).uid();
    }

    /**
     * Proves that {@code directory} is the one meant.
     *
     * @param own where this process has its files
     * @throws TransportException (BAD_ADDRESS) when it is not, or when another user could get in
     */
    void prove(Path directory, Path own) {
        String found = difference(directory, own);
        if (found != null) {
            throw new TransportException(
                    TransportException.Kind.BAD_ADDRESS,
                    "Shared memory at '" + directory + "' cannot be proven to be the inviter's: " + found
                            + ". Expected a directory with inode " + inode + ", owned by uid " + uid
                            + ", mode 0700, of the user of this process. If the job runs in a container, under another user or"
                            + " on another host, its backend must report the reach NETWORK.");
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
            return "it cannot be looked at (" + e + ")";
        }
    }

    /** What stands in the file system. */
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
            throw new IOException("the file system tells no inode, uid and mode of '" + path + "'");
        }
    }
}
