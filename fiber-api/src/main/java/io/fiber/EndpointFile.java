// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.spec.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.Set;

/**
 * Reads and writes the file with a manager's address and key, which only its owner may read. It has four lines: a line
 * that identifies the format, the host, the port and the key.
 */
final class EndpointFile {

    private static final String FIRST_LINE = "fiber manager endpoint 1";
    private static final int LINES = 4;
    private static final String OWNER_ONLY = "rw-------";

    private EndpointFile() {}

    /** Writes a file. */
    static void write(ManagerEndpoint endpoint, Path file) {
        byte[] key = endpoint.key().copyBytes();
        String text = String.join(
                "\n",
                FIRST_LINE,
                endpoint.host(),
                Integer.toString(endpoint.port()),
                Base64.getEncoder().encodeToString(key),
                "");
        try {
            Path whole = file.toAbsolutePath();
            Path part = Files.createTempFile(whole.getParent(), ".endpoint-", ".part", ownerOnly());
            try {
                Files.writeString(part, text);
                Files.move(part, whole, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(part);
            }
        } catch (IOException e) {
            throw new FiberException(
                    "FBR-443", "The endpoint of a manager cannot be written to '" + file + "': " + e, e);
        }
    }

    private static FileAttribute<?>[] ownerOnly() {
        return isPosix()
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(OWNER_ONLY))
                }
                : new FileAttribute<?>[0];
    }

    private static boolean isPosix() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    }

    /** Reads a file. */
    static ManagerEndpoint read(Path file) {
        try {
            requireHidden(file);
            List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
            if (lines.size() == LINES && lines.get(0).equals(FIRST_LINE)) {
                byte[] key = Base64.getDecoder().decode(lines.get(3));
                return new ManagerEndpoint(lines.get(1), Integer.parseInt(lines.get(2)), Secret.of(key));
            }
        } catch (IOException e) {
            throw new FiberException(
                    "FBR-443", "The endpoint of a manager cannot be read from '" + file + "': " + e, e);
        } catch (IllegalArgumentException e) {
            throw unknown(file);
        }
        throw unknown(file);
    }

    /** The message does not show the content, which may include a key. */
    private static FiberException unknown(Path file) {
        return new FiberException(
                "FBR-443",
                "The file '" + file + "' does not contain the endpoint of a manager. Expected a file written by"
                        + " ManagerEndpoint.save: "
                        + LINES + " lines, of which the first is '" + FIRST_LINE + "'.");
    }

    private static void requireHidden(Path file) throws IOException {
        if (!isPosix()) {
            return;
        }
        Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
        if (!PosixFilePermissions.fromString(OWNER_ONLY).containsAll(permissions)) {
            throw new FiberException(
                    "FBR-443",
                    "The file '" + file + "' contains the key of a manager, and other users have access to it ("
                            + PosixFilePermissions.toString(permissions) + "). Expected " + OWNER_ONLY
                            + ". Others may know the key by now. Make a new one, and write it with"
                            + " ManagerEndpoint.save.");
        }
    }
}
