// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;

/** Copies what a job writes from the shared directory, which this host does not see, to a file of this host. */
final class CopiedText implements JobText {

    private static final int CHUNK_BYTES = 64 * 1024;

    private final SharedFiles files;
    private final Path from;
    private final Path to;
    private final FileText copied;
    private long readBytes;
    private boolean finished;

    CopiedText(SharedFiles files, Path from, Path to) {
        this.files = files;
        this.from = from;
        this.to = to;
        this.copied = FileText.behind(new LocalFiles(), to);
    }

    @Override
    public synchronized void copy() {
        if (finished) {
            return;
        }
        try {
            byte[] chunk = files.read(from, readBytes, CHUNK_BYTES);
            while (chunk.length > 0) {
                Files.createDirectories(Objects.requireNonNull(to.getParent()));
                Files.write(to, chunk, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                readBytes += chunk.length;
                chunk = files.read(from, readBytes, CHUNK_BYTES);
            }
        } catch (IOException e) {
            System.getLogger(CopiedText.class.getName())
                    .log(System.Logger.Level.DEBUG, "The output of a job cannot be copied now.", e);
        }
    }

    @Override
    public synchronized void finish() {
        copy();
        finished = true;
    }

    @Override
    public List<String> lastLines(int count) {
        copy();
        return copied.lastLines(count);
    }
}
