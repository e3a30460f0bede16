// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import io.fiber.backend.support.UserIds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/** Writes archives in a format that Docker unpacks. Not thread-safe. */
final class Tar implements AutoCloseable {

    private static final int PRIVATE_FILE = 0100600;
    private static final int FILE = 0100644;
    private static final int DIRECTORY = 040755;

    private final TarArchiveOutputStream out;
    private final Set<String> directories = new HashSet<>();

    Tar(OutputStream out) {
        this.out = new TarArchiveOutputStream(out, "UTF-8");
        this.out.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
        this.out.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
    }

    /** Returns an archive of one file that only its owner may read. */
    static byte[] privateFile(String name, byte[] content, UserIds owner) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Tar tar = new Tar(bytes)) {
            TarArchiveEntry entry = new TarArchiveEntry(name);
            entry.setMode(PRIVATE_FILE);
            entry.setIds(owner.user(), owner.group());
            entry.setSize(content.length);
            tar.out.putArchiveEntry(entry);
            tar.out.write(content);
            tar.out.closeArchiveEntry();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /**
     * Adds a file that all users may read.
     *
     * @param name the directories above it are added, too
     */
    void add(Path file, String name) throws IOException {
        for (int slash = name.indexOf('/'); slash > 0; slash = name.indexOf('/', slash + 1)) {
            String directory = name.substring(0, slash + 1);
            // Docker rejects an image whose archive has a path twice.
            if (directories.add(directory)) {
                addEmpty(directory, DIRECTORY);
            }
        }
        TarArchiveEntry entry = new TarArchiveEntry(name);
        entry.setMode(FILE);
        entry.setModTime(Files.getLastModifiedTime(file));
        entry.setSize(Files.size(file));
        out.putArchiveEntry(entry);
        Files.copy(file, out);
        out.closeArchiveEntry();
    }

    /** Adds a file without content. */
    void addEmptyFile(String name) throws IOException {
        addEmpty(name, FILE);
    }

    private void addEmpty(String name, int mode) throws IOException {
        TarArchiveEntry entry = new TarArchiveEntry(name);
        entry.setMode(mode);
        out.putArchiveEntry(entry);
        out.closeArchiveEntry();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
