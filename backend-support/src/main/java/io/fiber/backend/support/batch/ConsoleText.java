// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/** Copies both streams of a job from the shared directory to those of this process, whole lines, and keeps the last. */
final class ConsoleText implements JobText {

    private static final int CHUNK_BYTES = 64 * 1024;

    private final SharedFiles files;
    private final Deque<String> kept = new ArrayDeque<>();
    private final List<Stream> streams;
    private boolean finished;

    ConsoleText(SharedFiles files, Path output, Path errors) {
        this.files = files;
        // The streams are looked up for each write, so that a program may replace them at any time.
        this.streams = List.of(new Stream(output, () -> System.out), new Stream(errors, () -> System.err));
    }

    @Override
    public synchronized void copy() {
        if (!finished) {
            streams.forEach(Stream::copy);
        }
    }

    @Override
    public synchronized void finish() {
        copy();
        streams.forEach(Stream::copyRest);
        finished = true;
    }

    @Override
    public synchronized List<String> lastLines(int count) {
        copy();
        List<String> lines = new ArrayList<>(kept);
        return List.copyOf(lines.subList(Math.max(0, lines.size() - count), lines.size()));
    }

    /** One file and how far it was read. */
    private final class Stream {
        private final Path file;
        private final Supplier<PrintStream> target;
        private byte[] begun = new byte[0];
        private long readBytes;

        Stream(Path file, Supplier<PrintStream> target) {
            this.file = file;
            this.target = target;
        }

        void copy() {
            try {
                byte[] chunk = files.read(file, readBytes, CHUNK_BYTES);
                while (chunk.length > 0) {
                    readBytes += chunk.length;
                    take(chunk);
                    chunk = files.read(file, readBytes, CHUNK_BYTES);
                }
            } catch (IOException e) {
                System.getLogger(ConsoleText.class.getName())
                        .log(System.Logger.Level.DEBUG, "The output of a job cannot be read now.", e);
            }
        }

        private void take(byte[] chunk) {
            byte[] all = Arrays.copyOf(begun, begun.length + chunk.length);
            System.arraycopy(chunk, 0, all, begun.length, chunk.length);
            int end = all.length;
            while (end > 0 && all[end - 1] != '\n') {
                end--;
            }
            write(Arrays.copyOf(all, end));
            begun = Arrays.copyOfRange(all, end, all.length);
        }

        /** A last line without its end is a line, too. */
        void copyRest() {
            if (begun.length > 0) {
                byte[] line = Arrays.copyOf(begun, begun.length + 1);
                line[begun.length] = '\n';
                begun = new byte[0];
                write(line);
            }
        }

        private void write(byte[] lines) {
            if (lines.length == 0) {
                return;
            }
            PrintStream out = target.get();
            out.write(lines, 0, lines.length);
            out.flush();
            new String(lines, StandardCharsets.UTF_8).lines().forEach(kept::add);
            while (kept.size() > MOST_LINES) {
                kept.remove();
            }
        }
    }
}
