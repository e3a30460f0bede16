// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;

/**
 * Copies a job's output from the shared directory, which this host does not see, to a file of this host, in whole
 * lines.
 */
final class CopiedText implements JobText {

    private final Path to;
    private final NewLines lines;
    private final FileText copied;
    private boolean finished;

    CopiedText(SharedFiles files, Path from, Path to, EndNotices notices) {
        this.to = to;
        this.lines = new NewLines(files, from, notices, this::append);
        this.copied = FileText.behind(new LocalFiles(), to, notices);
    }

    private void append(byte[] text) throws IOException {
        Files.createDirectories(Objects.requireNonNull(to.getParent()));
        Files.write(to, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Override
    public EndNotices notices() {
        return copied.notices();
    }

    @Override
    public synchronized void copy() {
        if (!finished) {
            lines.copy();
        }
    }

    @Override
    public synchronized void finish() {
        if (!finished) {
            lines.finish();
            finished = true;
        }
    }

    @Override
    public List<String> lastLines(int count) {
        copy();
        return copied.lastLines(count);
    }
}
