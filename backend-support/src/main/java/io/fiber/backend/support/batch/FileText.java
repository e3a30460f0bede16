// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import io.fiber.spi.backend.BackendUnavailableException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Output in a file of the shared directory, which is read on request. */
final class FileText implements JobText {

    private static final int TAIL_BYTES = 1 << 20;

    private final SharedFiles files;
    private final Path file;
    private final long beginBytes;
    private final EndNotices notices;

    private FileText(SharedFiles files, Path file, long beginBytes, EndNotices notices) {
        this.files = files;
        this.file = file;
        this.beginBytes = beginBytes;
        this.notices = notices;
    }

    /** Returns the output in a file that only its job writes. */
    static FileText of(SharedFiles files, Path file, EndNotices notices) {
        return new FileText(files, file, 0, notices);
    }

    /** Returns the output after the current end of the file. */
    static FileText behind(SharedFiles files, Path file, EndNotices notices) {
        try {
            return new FileText(files, file, files.size(file), notices);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private static BackendUnavailableException unreadable(Path file, IOException cause) {
        return new BackendUnavailableException(
                "The output of a job cannot be read from '" + file + "': " + cause, cause);
    }

    @Override
    public EndNotices notices() {
        return notices;
    }

    @Override
    public List<String> lastLines(int count) {
        try {
            long size = files.size(file);
            long from = Math.max(Math.min(beginBytes, size), size - TAIL_BYTES);
            List<String> lines = new String(files.read(file, from, TAIL_BYTES), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !notices.drops(line))
                    .toList();
            return List.copyOf(lines.subList(Math.max(0, lines.size() - count), lines.size()));
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }
}
