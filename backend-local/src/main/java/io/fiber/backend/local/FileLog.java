// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.backend.support.LastLines;
import io.fiber.spi.backend.BackendUnavailableException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets a job write both streams into a file, with no thread between, and reads the file's end back. A file of the
 * session is taken into memory, as far as its last lines go, when the job has ended, and removed.
 */
final class FileLog implements JobLog {

    private static final int TAIL_BYTES = 1 << 20;

    private final Path file;
    private final boolean temporary;

    /** Where this job's lines begin: the file may hold those of earlier jobs of the same name. */
    private final long beginBytes;

    private @Nullable List<String> kept;

    private FileLog(Path file, boolean temporary, long beginBytes) {
        this.file = file;
        this.temporary = temporary;
        this.beginBytes = beginBytes;
    }

    /** Returns a log at the end of a file that stays. */
    static FileLog appendingTo(Path file) {
        File existing = file.toFile();
        return new FileLog(file, false, existing.length());
    }

    /** Returns a log in a file that goes with the job. */
    static FileLog temporary(Path file) throws IOException {
        Files.deleteIfExists(file);
        return new FileLog(file, true, 0);
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
        // They are in the file.
    }

    @Override
    public synchronized void finish() {
        if (!temporary || kept != null) {
            return;
        }
        try {
            kept = readLines(LastLines.MOST_BYTES, LastLines.MOST_LINES);
            Files.deleteIfExists(file);
        } catch (IOException e) {
            kept = List.of("(The output cannot be read from '" + file + "': " + e + ")");
        }
    }

    @Override
    public synchronized List<String> lastLines(int count) {
        if (kept != null) {
            return kept.subList(Math.max(0, kept.size() - count), kept.size());
        }
        try {
            return readLines(TAIL_BYTES, count);
        } catch (IOException e) {
            throw new BackendUnavailableException("The output of a job cannot be read from '" + file + "': " + e, e);
        }
    }

    private List<String> readLines(int limitBytes, int count) throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            long size = channel.size();
            long from = Math.max(Math.min(beginBytes, size), size - limitBytes);
            ByteBuffer tail = ByteBuffer.allocate((int) (size - from));
            channel.position(from);
            while (tail.hasRemaining() && channel.read(tail) >= 0) {
                // Reads on until the size seen above is there.
            }
            List<String> lines = new String(tail.array(), 0, tail.position(), CHARSET)
                    .lines()
                    .toList();
            return List.copyOf(lines.subList(Math.max(0, lines.size() - count), lines.size()));
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    @Override
    public void discard() {
        if (temporary) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
