// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.spi.backend.BackendUnavailableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Text in a file of the shared directory, read when somebody asks. */
final class FileText implements JobText {

    private static final int TAIL_BYTES = 1 << 20;

    private final Path file;
    private final long beginBytes;

    private FileText(Path file, long beginBytes) {
        this.file = file;
        this.beginBytes = beginBytes;
    }

    /** Returns the text behind what the file holds now. */
    static FileText behind(Path file) {
        return new FileText(file, file.toFile().length());
    }

    @Override
    public void copy() {
        // It is where it shall be.
    }

    @Override
    public void finish() {
        // It stays where it is.
    }

    @Override
    public List<String> lastLines(int count) {
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            long size = channel.size();
            long from = Math.max(Math.min(beginBytes, size), size - TAIL_BYTES);
            ByteBuffer tail = ByteBuffer.allocate((int) (size - from));
            channel.position(from);
            while (tail.hasRemaining() && channel.read(tail) >= 0) {
                // Reads on until the size seen above is there.
            }
            List<String> lines = new String(tail.array(), 0, tail.position(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            return List.copyOf(lines.subList(Math.max(0, lines.size() - count), lines.size()));
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new BackendUnavailableException("The output of a job cannot be read from '" + file + "': " + e, e);
        }
    }
}
