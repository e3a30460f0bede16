// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/**
 * Copies both streams of a job from the shared directory to those of this process in whole lines, and keeps the last
 * lines.
 */
final class ConsoleText implements JobText {

    private final EndNotices notices;
    private final Deque<String> kept = new ArrayDeque<>();
    private final List<NewLines> streams;
    private boolean finished;

    ConsoleText(SharedFiles files, Path output, Path errors, EndNotices notices) {
        this.notices = notices;
        // The streams are looked up for each write, so that a program may replace them at any time.
        this.streams = List.of(
                new NewLines(files, output, notices, lines -> write(lines, () -> System.out)),
                new NewLines(files, errors, notices, lines -> write(lines, () -> System.err)));
    }

    @Override
    public EndNotices notices() {
        return notices;
    }

    @Override
    public synchronized void copy() {
        if (!finished) {
            streams.forEach(NewLines::copyIfGrown);
        }
    }

    @Override
    public synchronized void finish() {
        if (!finished) {
            streams.forEach(NewLines::finish);
            finished = true;
        }
    }

    @Override
    public synchronized List<String> lastLines(int count) {
        if (!finished) {
            streams.forEach(NewLines::copy);
        }
        List<String> lines = new ArrayList<>(kept);
        return List.copyOf(lines.subList(Math.max(0, lines.size() - count), lines.size()));
    }

    private void write(byte[] lines, Supplier<PrintStream> target) {
        PrintStream out = target.get();
        out.write(lines, 0, lines.length);
        out.flush();
        new String(lines, StandardCharsets.UTF_8).lines().forEach(kept::add);
        while (kept.size() > MOST_LINES) {
            kept.remove();
        }
    }
}
