// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.copy;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/**
 * One thing that is copied.
 *
 * @param kind what it is
 * @param path below the root of what is copied, with slashes; empty for the root itself
 * @param rights {@code rwxr-xr-x}
 * @param modifiedMs when it was changed last, of the epoch
 * @param size bytes of a file; 0 of others
 * @param link what a link says; empty of others
 */
public record Entry(Kind kind, String path, String rights, long modifiedMs, long size, String link) {

    /** Follows the last entry. */
    static final int END = '.';

    /** What can be copied. */
    public enum Kind {
        FILE('f'),
        DIRECTORY('d'),
        LINK('l');

        private final char code;

        Kind(char code) {
            this.code = code;
        }
    }

    /** Returns an entry for a file or directory that is not a link. */
    static Entry of(Kind kind, String path, PosixFileAttributes attributes) {
        return new Entry(
                kind,
                path,
                PosixFilePermissions.toString(attributes.permissions()),
                attributes.lastModifiedTime().toMillis(),
                kind == Kind.FILE ? attributes.size() : 0,
                "");
    }

    /** Returns the entry of a link. */
    static Entry link(String path, Path text) {
        return new Entry(Kind.LINK, path, "", 0, 0, text.toString());
    }

    /** Returns whether the file is unchanged since the entry was created. */
    boolean isAs(PosixFileAttributes attributes) {
        return attributes.size() == size && attributes.lastModifiedTime().toMillis() == modifiedMs;
    }

    void writeTo(DataOutputStream out) throws IOException {
        out.writeByte(kind.code);
        out.writeUTF(path);
        out.writeUTF(rights);
        out.writeLong(modifiedMs);
        out.writeLong(size);
        out.writeUTF(link);
    }

    /**
     * Reads the next entry.
     *
     * @return empty at the end of the copy
     */
    static Optional<Entry> readFrom(DataInputStream in) throws IOException {
        int code = in.readUnsignedByte();
        if (code == END) {
            return Optional.empty();
        }
        for (Kind kind : Kind.values()) {
            if (kind.code == code) {
                return Optional.of(
                        new Entry(kind, in.readUTF(), in.readUTF(), in.readLong(), in.readLong(), in.readUTF()));
            }
        }
        throw new IOException("an entry of the unknown kind " + code);
    }
}
