// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;

/**
 * Files in the directory that all nodes see, as the host that the batch system is used from has them: this one, or a login node.
 * Paths are absolute and that host's own. Thread-safe; every method may block.
 */
public interface SharedFiles {

    /** Tells whether these are files of this host. */
    boolean isHere();

    /**
     * Makes a directory, mode 0700, and those above it that are missing.
     *
     * @param files that it shall have, which only their owner may read; names are plain
     * @throws FileAlreadyExistsException when there is such a file or directory
     */
    void makeDirectory(Path directory, Map<String, byte[]> files) throws IOException;

    /** Makes empty files. */
    void mark(Collection<Path> files) throws IOException;

    /** Writes a file that only its owner may read; one that is there already is replaced. */
    void write(Path file, byte[] content) throws IOException;

    /** Makes a file that its owner may run. */
    void makeExecutable(Path file) throws IOException;

    /**
     * Returns the text of each file of a directory by its name, in the order of names, and deletes them.
     *
     * @throws IOException when nothing was deleted; what was deleted is always returned
     */
    Map<String, String> take(Path directory) throws IOException;

    /** Returns at most {@code most} bytes from {@code from} on; none behind the end, or when there is no such file. */
    byte[] read(Path file, long from, int most) throws IOException;

    /** Returns the size in bytes; 0 when there is no such file. */
    long size(Path file) throws IOException;

    /** Deletes a file, if there is one. */
    void delete(Path file) throws IOException;

    /** Deletes a directory with everything in it, if there is one; what a job writes meanwhile is deleted as well. */
    void deleteTree(Path directory) throws IOException;
}
