// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

import io.fiber.spi.transport.TransportContext;
import io.fiber.spi.transport.TransportException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/**
 * A directory of socket files that only the user of this process can access.
 *
 * @param path where it is
 * @param owner the user of this process
 */
record SocketDirectory(Path path, UserPrincipal owner) {

    /** Including the final zero, the kernel accepts 108 bytes on Linux and 104 on other systems. */
    private static final int LONGEST_FILE_BYTES = 103;

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");

    /** Linux shows it as owned by the user of the process. */
    private static final Path THIS_PROCESS = Path.of("/proc/self/task");

    /** Returns whether this JVM supports socket files and can tell the user of a peer. */
    static boolean isSupported(Path path) {
        if (!path.getFileSystem().supportedFileAttributeViews().contains("posix") || !Sockets.HAS_EXTENDED_OPTIONS) {
            return false;
        }
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return channel.supportedOptions().contains(ExtendedSocketOptions.SO_PEERCRED);
        } catch (UnsupportedOperationException | IOException e) {
            return false;
        }
    }

    /** Returns whether the kernel accepts the path of a file in this directory. */
    static boolean hasRoomForFiles(Path directory) {
        return directory.resolve("0123456789abcdef").toString().getBytes(StandardCharsets.UTF_8).length
                <= LONGEST_FILE_BYTES;
    }

    /** Returns where {@link #make} will create the directory. */
    static Path below(TransportContext context, Token name) {
        return context.directory().resolve("sockets-" + name.toString().substring(0, 8));
    }

    /**
     * Creates a directory that only this user can access.
     *
     * @throws TransportException (UNUSABLE) if it cannot be created
     */
    static SocketDirectory make(Path path, TransportContext context) {
        context.removeAtDeath(path);
        try {
            Files.createDirectory(path, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        } catch (IOException e) {
            throw new TransportException(
                    TransportException.Kind.UNUSABLE, "A directory for socket files cannot be made: " + e, e);
        }
        return proven(path, context.directory());
    }

    /**
     * Verifies that only the user of this process can access a directory.
     *
     * @param own where this process has its files, from which its user is found if there is no other way
     * @throws TransportException (BAD_ADDRESS) if others can access it, or if it does not exist
     */
    static SocketDirectory proven(Path directory, Path own) {
        String found;
        try {
            UserPrincipal user = Files.getOwner(Files.exists(THIS_PROCESS) ? THIS_PROCESS : own);
            found = difference(directory, user);
            if (found == null) {
                return new SocketDirectory(directory, user);
            }
        } catch (NoSuchFileException e) {
            found = "'" + e.getFile() + "' does not exist here";
        } catch (IOException | UnsupportedOperationException e) {
            found = "it cannot be examined (" + e + ")";
        }
        throw new TransportException(
                TransportException.Kind.BAD_ADDRESS,
                "Fiber cannot verify that other users have no access to the socket files in '" + directory + "': "
                        + found
                        + ". Expected a directory of the user of this process with mode 0700. If the job runs in a"
                        + " container, under another user or on another host, its backend must report the reach"
                        + " NETWORK.");
    }

    private static @Nullable String difference(Path directory, UserPrincipal user) throws IOException {
        PosixFileAttributes attributes =
                Files.readAttributes(directory, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!attributes.isDirectory()) {
            return "it is not a directory";
        }
        if (!attributes.owner().equals(user)) {
            return "it belongs to the user " + attributes.owner() + ", but this process runs as " + user;
        }
        if (!attributes.permissions().equals(OWNER_ONLY)) {
            return "its mode is " + PosixFilePermissions.toString(attributes.permissions());
        }
        return null;
    }

    /** Returns the path of a new socket file. */
    Path file(Token name) {
        return path.resolve(name.toString().substring(0, 16));
    }

    /** Returns whether the process at the other end of a connection belongs to this user. */
    boolean isPeerOfOwner(SocketChannel channel) {
        try {
            return channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user().equals(owner);
        } catch (IOException e) {
            return false;
        }
    }

    /** Removes the directory, with the files of peers that were killed. */
    void remove() {
        try (var files = Files.newDirectoryStream(path)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // What cannot be removed now is removed with the parent directory.
        }
    }
}
