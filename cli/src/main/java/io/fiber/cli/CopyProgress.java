// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.cli.copy.Entry;
import io.fiber.cli.copy.Meter;
import io.fiber.cli.copy.Totals;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Shows the progress of a copy: on a terminal in one line that changes, elsewhere in a line every ten seconds.
 * Thread-safe.
 */
final class CopyProgress implements Meter {

    private static final long TERMINAL_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long FILE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final String ERASE = "\r\u001b[K";
    private static final double MEBIBYTE = 1 << 20;
    private static final double NS_OF_SECOND = 1e9;

    private final Optional<PrintWriter> out;
    private final boolean terminal;
    private Totals all = new Totals(0, 0, 0);
    private long files;
    private long bytes;
    private long startNs = System.nanoTime();
    private long shownNs = startNs;
    private boolean drawn;

    private CopyProgress(Optional<PrintWriter> out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /** Returns a meter that writes to this writer, or nowhere if it is empty. */
    static CopyProgress on(Optional<PrintWriter> out) {
        return new CopyProgress(out, Terminal.hasErrorLine());
    }

    @Override
    public synchronized void begins(Totals totals) {
        all = totals;
        startNs = System.nanoTime();
        shownNs = startNs;
    }

    @Override
    public synchronized void moved(int count) {
        bytes += count;
        show();
    }

    @Override
    public synchronized void done(Entry.Kind kind) {
        if (kind == Entry.Kind.FILE) {
            files++;
        }
        show();
    }

    /** Prints a line of its own. */
    synchronized void say(String text) {
        clear();
        out.ifPresent(writer -> writer.println("fiber: " + text));
    }

    /** Prints what was copied. */
    synchronized void ends(Totals totals) {
        say(String.format(
                Locale.ROOT,
                "%d files, %.1f MiB, %s",
                totals.files(),
                totals.bytes() / MEBIBYTE,
                speed(System.nanoTime() - startNs, totals.bytes())));
    }

    /** Erases the line that changes. */
    synchronized void clear() {
        if (drawn) {
            drawn = false;
            out.ifPresent(writer -> {
                writer.print(ERASE);
                writer.flush();
            });
        }
    }

    private void show() {
        long now = System.nanoTime();
        if (out.isEmpty() || now - shownNs < (terminal ? TERMINAL_NS : FILE_NS)) {
            return;
        }
        shownNs = now;
        String line = String.format(
                Locale.ROOT,
                "%d of %d files, %.1f of %.1f MiB, %s",
                files,
                all.files(),
                bytes / MEBIBYTE,
                all.bytes() / MEBIBYTE,
                speed(now - startNs, bytes));
        PrintWriter writer = out.get();
        if (terminal) {
            writer.print(ERASE + "fiber: " + line);
            writer.flush();
            drawn = true;
        } else {
            writer.println("fiber: " + line);
        }
    }

    private static String speed(long ns, long bytes) {
        return String.format(
                Locale.ROOT,
                "%.1f s, %.0f MiB/s",
                ns / NS_OF_SECOND,
                bytes / MEBIBYTE / Math.max(ns / NS_OF_SECOND, 0.001));
    }
}
