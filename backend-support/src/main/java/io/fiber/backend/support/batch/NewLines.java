// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Passes on what a job writes to a file of the shared directory, in whole lines; lines longer than 64 KiB are passed on
 * in parts. Not thread-safe.
 */
final class NewLines {

    private static final int CHUNK_BYTES = 64 * 1024;

    private final SharedFiles files;
    private final Path file;
    private final EndNotices notices;
    private final Sink sink;
    private byte[] begun = new byte[0];
    private long readBytes;

    /** The destination of lines. */
    interface Sink {
        /** Receives new output, at least one byte. If it throws, it receives the same again. */
        void take(byte[] lines) throws IOException;
    }

    NewLines(SharedFiles files, Path file, EndNotices notices, Sink sink) {
        this.files = files;
        this.file = file;
        this.notices = notices;
        this.sink = sink;
    }

    /** Passes on new output if there seems to be some; it may be seen late. */
    void copyIfGrown() {
        if (files.hasGrown(file, readBytes)) {
            copy();
        }
    }

    /** Passes on all output that there is. */
    void copy() {
        try {
            byte[] chunk = files.read(file, readBytes, CHUNK_BYTES);
            while (chunk.length > 0) {
                take(chunk);
                chunk = files.read(file, readBytes, CHUNK_BYTES);
            }
        } catch (IOException e) {
            cannotCopy(e);
        }
    }

    private static void cannotCopy(IOException cause) {
        System.getLogger(NewLines.class.getName())
                .log(System.Logger.Level.DEBUG, "The output of a job cannot be copied now.", cause);
    }

    private void take(byte[] chunk) throws IOException {
        byte[] all = Arrays.copyOf(begun, begun.length + chunk.length);
        System.arraycopy(chunk, 0, all, begun.length, chunk.length);
        int end = all.length;
        while (end > 0 && all[end - 1] != '\n') {
            end--;
        }
        if (end == 0 && all.length >= CHUNK_BYTES) {
            end = all.length;
        }
        pass(Arrays.copyOf(all, end));
        begun = Arrays.copyOfRange(all, end, all.length);
        readBytes += chunk.length;
    }

    private void pass(byte[] lines) throws IOException {
        byte[] wanted = notices.without(lines);
        if (wanted.length > 0) {
            sink.take(wanted);
        }
    }

    /** Passes on the rest. A last line without a line end counts as a line, too. */
    void finish() {
        copy();
        if (begun.length == 0) {
            return;
        }
        byte[] line = Arrays.copyOf(begun, begun.length + 1);
        line[begun.length] = '\n';
        begun = new byte[0];
        try {
            pass(line);
        } catch (IOException e) {
            cannotCopy(e);
        }
    }
}
