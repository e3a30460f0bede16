// SPDX-License-Identifier: Apache-2.0
package io.fiber.progress;

import io.fiber.Progress;
import io.fiber.ProgressListener;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Draws a bar for a call below the output of the program and its tasks, if standard error is a terminal. If several
 * calls run at the same time, it shows them one after the other. The bar is erased when its call has ended.
 * Thread-safe.
 */
public final class TerminalBar implements ProgressListener {

    private static final int BAR_WIDTH = 10;
    private static final int SCREEN_WIDTH = 80;

    private final Optional<BottomLine> line;
    private final Streams streams;
    private @Nullable Shown shown;

    /** Creates a bar on standard error. If that is not a terminal, nothing is drawn. */
    public TerminalBar() {
        this(Terminal.ofStandardError().map(BottomLine::new), Streams.ofProgram());
    }

    TerminalBar(Optional<BottomLine> line, Streams streams) {
        this.line = line;
        this.streams = streams;
    }

    /** The call that is shown. */
    private record Shown(String pool, long call) {
        boolean isOf(Progress progress) {
            return call == progress.call() && pool.equals(progress.pool());
        }
    }

    /** The streams that are redirected around the bar while there is one. */
    interface Streams {
        void lead(BottomLine around);

        void restore();

        /** Returns standard output and error of this JVM, as far as they are the terminal. */
        static Streams ofProgram() {
            return new Streams() {
                private @Nullable PrintStream out;
                private @Nullable PrintStream err;
                private @Nullable PrintStream ledOut;
                private @Nullable PrintStream ledErr;

                @Override
                public void lead(BottomLine around) {
                    err = System.err;
                    ledErr = around.around(System.err, "stderr");
                    System.setErr(ledErr);
                    if (Terminal.isStandardOutput()) {
                        out = System.out;
                        ledOut = around.around(System.out, "stdout");
                        System.setOut(ledOut);
                    }
                }

                /** Streams that the program has replaced meanwhile are left alone. */
                @Override
                public void restore() {
                    if (err != null && System.err == ledErr) {
                        System.setErr(err);
                    }
                    if (out != null && System.out == ledOut) {
                        System.setOut(out);
                    }
                }
            };
        }
    }

    @Override
    public boolean drawsOnTerminal() {
        return true;
    }

    @Override
    public synchronized void onProgress(Progress progress) {
        if (line.isEmpty()) {
            return;
        }
        if (shown == null && progress.state() == Progress.State.RUNNING) {
            shown = new Shown(progress.pool(), progress.call());
            streams.lead(line.get());
        }
        if (shown == null || !shown.isOf(progress)) {
            return;
        }
        if (progress.state() == Progress.State.RUNNING) {
            line.get().show(text(progress));
        } else {
            line.get().show("");
            streams.restore();
            shown = null;
        }
    }

    /**
     * Returns {@code sweep:  40%|####      | 4/10 [00:03<00:04, 1.33 tasks/s], 1 failed}, cut to the width of the
     * terminal.
     */
    static String text(Progress progress) {
        long over = progress.done() + progress.failed();
        double seconds = Math.max(progress.elapsed().toMillis(), 1) / 1000.0;
        String elapsed = clock(progress.elapsed().toSeconds());
        String counted;
        String left;
        if (progress.total().isPresent()) {
            long total = progress.total().getAsLong();
            // The total may be an estimate that turns out too low.
            double share = total <= over ? 1 : (double) over / total;
            int filled = (int) (share * BAR_WIDTH);
            counted = String.format(
                    Locale.ROOT,
                    "%3d%%|%s%s| %d/%d",
                    (int) (100 * share),
                    "#".repeat(filled),
                    " ".repeat(BAR_WIDTH - filled),
                    over,
                    total);
            left = "<" + (over == 0 ? "?" : clock((long) (seconds / over * Math.max(0, total - over))));
        } else {
            counted = " " + over + "/?";
            left = "";
        }
        String failed = progress.failed() == 0 ? "" : ", " + progress.failed() + " failed";
        String text =
                progress.pool() + ":" + counted + " [" + elapsed + left + ", " + rate(over, seconds) + "]" + failed;
        return text.substring(0, Math.min(text.length(), width() - 1));
    }

    private static String rate(long over, double seconds) {
        if (over == 0) {
            return "? tasks/s";
        }
        double rate = over / seconds;
        return rate >= 1
                ? String.format(Locale.ROOT, rate < 100 ? "%.2f tasks/s" : "%.0f tasks/s", rate)
                : String.format(Locale.ROOT, "%.2f s/task", 1 / rate);
    }

    private static String clock(long seconds) {
        Duration time = Duration.ofSeconds(seconds);
        return time.toHours() > 0
                ? String.format(Locale.ROOT, "%d:%02d:%02d", time.toHours(), time.toMinutesPart(), time.toSecondsPart())
                : String.format(Locale.ROOT, "%02d:%02d", time.toMinutesPart(), time.toSecondsPart());
    }

    /** Shells rarely tell the width to their children. */
    private static int width() {
        String told = System.getenv("COLUMNS");
        return told != null && told.matches("[1-9][0-9]{1,3}") ? Integer.parseInt(told) : SCREEN_WIDTH;
    }
}
