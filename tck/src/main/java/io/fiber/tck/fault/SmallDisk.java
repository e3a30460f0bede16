// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.fault;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A disk of a few megabytes in place of a directory, for example {@code /dev/shm}, for the processes of one {@link
 * Sandbox}. It can be filled and freed again. Not thread-safe.
 */
public final class SmallDisk implements AutoCloseable {

    private static final String FILLING = "fault.filling";
    private static final int BLOCK_BYTES = 4096;

    private final Path place;

    private SmallDisk(Path place) {
        this.place = place;
    }

    /**
     * Mounts an empty disk. Processes that have already opened files of the directory keep them.
     *
     * @param place an existing directory
     * @param bytes its size; greater than zero
     * @throws IllegalArgumentException if {@code bytes} is not greater than zero
     * @throws IllegalStateException if this process does not run in a {@link Sandbox}
     */
    public static SmallDisk at(Path place, long bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("bytes " + bytes + "; must be above zero");
        }
        Command.run("mount", "-t", "tmpfs", "-o", "size=" + bytes, "fault", place.toString());
        return new SmallDisk(place);
    }

    /** Returns how many bytes are free. */
    public long freeBytes() {
        try {
            return Files.getFileStore(place).getUsableSpace();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Takes all free bytes, with one file. */
    public void fill() {
        byte[] block = new byte[BLOCK_BYTES];
        try (OutputStream filling = Files.newOutputStream(place.resolve(FILLING))) {
            while (true) {
                filling.write(block);
            }
        } catch (IOException e) {
            if (freeBytes() > 0) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Frees what {@link #fill} has taken. */
    public void clear() {
        try {
            Files.deleteIfExists(place.resolve(FILLING));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Unmounts it; its content is gone when no process has it open. */
    @Override
    public void close() {
        Command.run("umount", "--lazy", place.toString());
    }
}
