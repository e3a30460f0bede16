// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.broadcast;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The copies that the workers of one host share. The first worker fetches a value while it holds a lock; the others
 * wait for the lock, which the system releases if its holder dies. Thread-safe.
 */
public final class SharedCopy {

    /** Fetches a value in parts. */
    interface Parts {
        /** Returns at least one byte, starting at this offset. */
        ByteBuffer from(long offset) throws IOException;
    }

    private static final int GREATEST_TRIES = 5;

    private final Supplier<Path> directory;
    /** Where the copies are, once there is one. */
    private volatile @Nullable Path used;

    /** Creates a place for copies; its directory is created when it is first needed. */
    public SharedCopy(Supplier<Path> directory) {
        this.directory = directory;
    }

    /** Returns the file of a value, which is fetched if no worker has done so. */
    synchronized Path of(ValueId id, Parts parts) throws IOException {
        for (int left = GREATEST_TRIES; ; left--) {
            try {
                return once(id, parts);
            } catch (FileNotFoundException | NoSuchFileException e) {
                // The process that created the directory has ended and removed it.
                if (left == 1) {
                    throw e;
                }
            }
        }
    }

    private Path once(ValueId id, Parts parts) throws IOException {
        Path place = directory.get();
        used = place;
        Path file = place.resolve(id.fileName());
        try (RandomAccessFile lockFile =
                        new RandomAccessFile(place.resolve(lockName(id)).toFile(), "rw");
                FileLock lock = lockFile.getChannel().lock()) {
            if (lock.isValid() && !Files.exists(file)) {
                fetch(id, parts, place);
            }
        }
        return file;
    }

    /** Removes the copy of a closed value; does nothing if there is none or it cannot be removed. */
    void remove(ValueId id) {
        Path place = used;
        if (place != null) {
            try {
                Files.deleteIfExists(place.resolve(id.fileName()));
                Files.deleteIfExists(place.resolve(lockName(id)));
            } catch (IOException e) {
                // It is removed with the directory.
            }
        }
    }

    private static String lockName(ValueId id) {
        return id.hash() + ".lock";
    }

    private static void fetch(ValueId id, Parts parts, Path place) throws IOException {
        try (ValueFile.Writer writer = ValueFile.create(place)) {
            while (writer.sizeBytes() < id.sizeBytes()) {
                writer.write(parts.from(writer.sizeBytes()));
            }
            if (!writer.hash().equals(id.hash())) {
                throw new IOException("The fetched value differs from the broadcast one.");
            }
            writer.keepAs(place.resolve(id.fileName()));
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
