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
 * The copies that the workers of one host share: the first worker fetches a value, under a lock that the others wait
 * for, and that the system gives back when its holder dies. Thread-safe.
 */
public final class SharedCopy {

    /** Fetches a value in parts. */
    interface Parts {
        /** Returns the bytes from here on, at least one. */
        ByteBuffer from(long offset) throws IOException;
    }

    private static final int GREATEST_TRIES = 5;

    private final Supplier<Path> directory;
    /** Where the copies are, once there is one. */
    private volatile @Nullable Path used;

    /** Creates a place for copies; the directory is made when the first one is needed. */
    public SharedCopy(Supplier<Path> directory) {
        this.directory = directory;
    }

    /** Returns the file of a value, fetched if no worker has. */
    synchronized Path of(ValueId id, Parts parts) throws IOException {
        for (int left = GREATEST_TRIES; ; left--) {
            try {
                return once(id, parts);
            } catch (FileNotFoundException | NoSuchFileException e) {
                // The process that had made the directory has ended and removed it.
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

    /** Removes the copy of a value that was closed; where there is none, or it cannot be removed, does nothing. */
    void remove(ValueId id) {
        Path place = used;
        if (place != null) {
            try {
                Files.deleteIfExists(place.resolve(id.fileName()));
                Files.deleteIfExists(place.resolve(lockName(id)));
            } catch (IOException e) {
                // It goes with the directory.
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
                throw new IOException("What was fetched is not what was broadcast.");
            }
            writer.keepAs(place.resolve(id.fileName()));
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
