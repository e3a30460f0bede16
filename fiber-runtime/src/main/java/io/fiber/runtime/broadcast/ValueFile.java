// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.broadcast;

import io.fiber.FiberException;
import io.fiber.runtime.platform.Sha256;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * The files of values, which are written once and read by many. They do not use interruptible channels, which the
 * cancellation of a task would close; a channel is open only while a file is being mapped.
 */
final class ValueFile {

    /** The maximum size of a view. */
    static final long LIMIT_BYTES = Integer.MAX_VALUE;

    private ValueFile() {}

    /** Creates a file in a directory, accessible to this user and without its final name. */
    static Writer create(Path directory) throws IOException {
        Files.createDirectories(directory);
        // A temporary file is accessible only to its user.
        return new Writer(Files.createTempFile(directory, "value", ".part"));
    }

    static MappedByteBuffer map(Path file, long sizeBytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            if (channel.size() != sizeBytes) {
                throw new IOException("'" + file + "' has " + channel.size() + " bytes; expected " + sizeBytes + ".");
            }
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, sizeBytes);
        }
    }

    static byte[] read(Path file, long offset, int length) throws IOException {
        byte[] bytes = new byte[length];
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            in.seek(offset);
            in.readFully(bytes);
        } catch (EOFException e) {
            throw new IOException("'" + file + "' is shorter than " + (offset + length) + " bytes.", e);
        }
        return bytes;
    }

    /** A file that is being written; it is removed on close unless it was kept. Not thread-safe. */
    static final class Writer implements AutoCloseable {
        private final Path unfinished;
        private final RandomAccessFile out;
        private final MessageDigest digest = Sha256.newDigest();
        private long sizeBytes;

        private Writer(Path unfinished) throws IOException {
            this.unfinished = unfinished;
            this.out = new RandomAccessFile(unfinished.toFile(), "rw");
        }

        void write(ByteBuffer part) {
            sizeBytes += part.remaining();
            if (sizeBytes > LIMIT_BYTES) {
                throw new FiberException(
                        "FBR-510",
                        "A broadcast value may have at most " + LIMIT_BYTES
                                + " bytes, but this one has more. Broadcast it in parts.");
            }
            try {
                digest.update(part.duplicate());
                byte[] bytes = new byte[Math.min(part.remaining(), 1 << 16)];
                while (part.hasRemaining()) {
                    int count = Math.min(bytes.length, part.remaining());
                    part.get(bytes, 0, count);
                    out.write(bytes, 0, count);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        long sizeBytes() {
            return sizeBytes;
        }

        /** Returns the hash of everything that was written. Call it once, at the end. */
        String hash() {
            return HexFormat.of().formatHex(digest.digest());
        }

        /** Gives the file its name and returns it. */
        Path keepAs(Path name) throws IOException {
            return Files.move(unfinished, name, StandardCopyOption.ATOMIC_MOVE);
        }

        @Override
        public void close() throws IOException {
            out.close();
            Files.deleteIfExists(unfinished);
        }
    }
}
