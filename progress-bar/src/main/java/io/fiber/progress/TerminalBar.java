// SPDX-License-Identifier: Apache-2.0
package io.fiber.progress;

import io.fiber.Progress;
import io.fiber.ProgressListener;
import java.io.PrintStream;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Draws a bar for a call on standard error, when that is a terminal. Of several calls that run at a time it shows one, and
 * then the next. Thread-safe.
 */
public final class TerminalBar implements ProgressListener {

    private static final int UPDATE_MS = 200;
    private static final int UNKNOWN = -1;

    private final Optional<PrintStream> terminal;
    private @Nullable Shown shown;

    /** Creates a bar on standard error; it draws nothing when that is no terminal. */
    public TerminalBar() {
        this(Terminal.ofStandardError());
    }

    TerminalBar(Optional<PrintStream> terminal) {
        this.terminal = terminal;
    }

    /** A bar and the call that it shows. */
    private record Shown(String pool, long call, ProgressBar bar) {
        boolean isOf(Progress progress) {
            return call == progress.call() && pool.equals(progress.pool());
        }
    }

    @Override
    public synchronized void onProgress(Progress progress) {
        if (terminal.isEmpty()) {
            return;
        }
        Shown now = shown;
        if (now == null && progress.state() == Progress.State.RUNNING) {
            now = new Shown(progress.pool(), progress.call(), bar(progress, terminal.get()));
            shown = now;
        }
        if (now == null || !now.isOf(progress)) {
            return;
        }
        now.bar().stepTo(progress.done() + progress.failed());
        if (progress.failed() > 0) {
            now.bar().setExtraMessage(progress.failed() + " failed");
        }
        if (progress.state() == Progress.State.ENDED) {
            now.bar().close();
            shown = null;
        }
    }

    private static ProgressBar bar(Progress progress, PrintStream out) {
        return new ProgressBarBuilder()
                .setTaskName(progress.pool())
                .setInitialMax(progress.total().orElse(UNKNOWN))
                .setUpdateIntervalMillis(UPDATE_MS)
                .startsFrom(0, progress.elapsed())
                .setConsumer(new ConsoleProgressBarConsumer(out))
                .build();
    }
}
