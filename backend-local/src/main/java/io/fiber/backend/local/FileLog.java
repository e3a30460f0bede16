// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.spi.backend.BackendUnavailableException;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Lets a job write both streams directly into a file that stays, and reads the end of that file. */
final class FileLog implements JobLog {

    private static final int TAIL_BYTES = 1 << 20;

    private final Path file;

    /** Where this job's lines begin, because the file may contain lines of earlier jobs of the same name. */
    private final long beginBytes;

    /** Creates a log at the end of a file. */
    FileLog(Path file) {
        this.file = file;
        this.beginBytes = file.toFile().length();
    }

    @Override
    public void direct(ProcessBuilder process) {
        process.redirectErrorStream(true).redirectOutput(Redirect.appendTo(file.toFile()));
    }

    @Override
    public void attach(Process process) {
        // The process writes by itself.
    }

    @Override
    public void awaitLastLines() {
        // Everything that was written is there.
    }

    @Override
    public List<String> lastLines(int count) {
        try {
            return readLines(count);
        } catch (IOException e) {
            throw new BackendUnavailableException("The output of a job cannot be read from '" + file + "': " + e, e);
        }
    }

    private List<String> readLines(int count) throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            long size = channel.size();
            long from = Math.max(Math.min(beginBytes, size), size - TAIL_BYTES);
            ByteBuffer tail = ByteBuffer.allocate((int) (size - from));
            channel.position(from);
            while (tail.hasRemaining() && channel.read(tail) >= 0) {
                // Continues until the size seen above has been read.
            }
            List<String> lines = new String(tail.array(), 0, tail.position(), CHARSET)
                    .lines()
                    .toList();
            return List.copyOf(lines.subList(Math.max(0, lines.size() - count), lines.size()));
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }
}
