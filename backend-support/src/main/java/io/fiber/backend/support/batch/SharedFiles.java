// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;

/**
 * Files in the directory that all nodes see, accessed on the host from which the batch system is used: this one, or a
 * login node. Paths are absolute paths of that host. Every method may block. Thread-safe.
 */
public interface SharedFiles {

    /** Returns whether these are files of this host. */
    boolean isHere();

    /**
     * Creates a directory with mode 0700, and missing parent directories.
     *
     * @param files its initial files, which only their owner may read; names are plain
     * @throws FileAlreadyExistsException if there is such a file or directory
     */
    void makeDirectory(Path directory, Map<String, byte[]> files) throws IOException;

    /** Creates empty files. */
    void mark(Collection<Path> files) throws IOException;

    /** Writes a file that only its owner may read, and replaces an existing one. */
    void write(Path file, byte[] content) throws IOException;

    /** Makes a file executable for its owner. */
    void makeExecutable(Path file) throws IOException;

    /**
     * Returns the text of each file of a directory by its name, in the order of names, and deletes the files.
     *
     * @throws IOException if nothing was deleted; what was deleted is always returned
     */
    Map<String, String> take(Path directory) throws IOException;

    /**
     * Returns at most {@code most} bytes starting at {@code from}; empty beyond the end, or if there is no such file.
     */
    byte[] read(Path file, long from, int most) throws IOException;

    /**
     * Returns whether a file probably has more than {@code bytes}. This is cheap, and may be late: a host remembers
     * sizes of files on a file server for up to a minute.
     */
    default boolean hasGrown(Path file, long bytes) {
        return true;
    }

    /** Returns the size in bytes; 0 if there is no such file. */
    long size(Path file) throws IOException;

    /** Deletes a file, if it exists. */
    void delete(Path file) throws IOException;

    /** Deletes a directory with all its content, if it exists, including files that a job writes meanwhile. */
    void deleteTree(Path directory) throws IOException;
}
