// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.backend.support.LastLines;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Copies both streams of a job to those of this process in whole lines, or to nowhere, and keeps the last lines. While
 * the job runs, each stream has a daemon thread with a small stack, because pipes can only be read by blocking.
 */
final class ConsoleLog implements JobLog {

    private static final int CHUNK_BYTES = 8 * 1024;
    private static final long STACK_BYTES = 128 * 1024;
    /** Shorter than the runtime waits for the exit of a worker whose link is gone. */
    private static final long LAST_LINES_LIMIT_NS = TimeUnit.MILLISECONDS.toNanos(800);

    private static final PrintStream NOWHERE = new PrintStream(OutputStream.nullOutputStream());

    private final String name;
    private final boolean isShown;
    private final LastLines kept = new LastLines(CHARSET);
    private final List<Thread> pumps = new ArrayList<>(2);

    /** Creates the log of a job whose lines are shown, or only kept. */
    ConsoleLog(String name, boolean isShown) {
        this.name = name;
        this.isShown = isShown;
    }

    @Override
    public void direct(ProcessBuilder process) {
        // Pipes are the default. Lines that are only kept use a single pipe, so that they stay in order.
        process.redirectErrorStream(!isShown);
    }

    @Override
    public synchronized void attach(Process process) {
        if (!isShown) {
            start("out", process, process.getInputStream(), () -> NOWHERE);
            return;
        }
        // The streams are looked up for each write, so that a program may replace them at any time.
        start("out", process, process.getInputStream(), () -> System.out);
        start("err", process, process.getErrorStream(), () -> System.err);
    }

    private void start(String stream, Process process, InputStream from, Supplier<PrintStream> to) {
        Thread pump =
                new Thread(null, () -> pump(process, from, to), "fiber-local-" + stream + "-" + name, STACK_BYTES);
        pump.setDaemon(true);
        pumps.add(pump);
        pump.start();
    }

    private void pump(Process process, InputStream from, Supplier<PrintStream> to) {
        byte[] buffer = new byte[CHUNK_BYTES];
        int filled = 0;
        while (true) {
            int count = read(process, from, buffer, filled);
            if (count < 0) {
                break;
            }
            filled += count;
            filled = copyWholeLines(buffer, filled, to);
        }
        if (filled > 0) {
            byte[] last = Arrays.copyOf(buffer, filled + 1);
            last[filled] = '\n';
            copyWholeLines(last, last.length, to);
        }
    }

    /** Returns the number of bytes that stay in the buffer: the beginning of a line whose end has not arrived. */
    private int copyWholeLines(byte[] buffer, int filled, Supplier<PrintStream> to) {
        int begin = 0;
        for (int i = 0; i < filled; i++) {
            if (buffer[i] == '\n') {
                boolean carriageReturn = i > begin && buffer[i - 1] == '\r';
                kept.add(Arrays.copyOfRange(buffer, begin, carriageReturn ? i - 1 : i));
                begin = i + 1;
            }
        }
        if (begin == 0 && filled == buffer.length) {
            // A line longer than the buffer is passed on in parts.
            kept.add(Arrays.copyOf(buffer, filled));
            begin = filled;
        }
        if (begin > 0) {
            PrintStream out = to.get();
            out.write(buffer, 0, begin);
            out.flush();
            System.arraycopy(buffer, begin, buffer, 0, filled - begin);
        }
        return filled - begin;
    }

    /**
     * Reads once. When a process ends, the JDK replaces the pipe of its stream by what was left in it. A read at this
     * moment fails with "Stream closed", and the next one returns the rest.
     */
    private static int read(Process process, InputStream from, byte[] buffer, int filled) {
        try {
            return from.read(buffer, filled, buffer.length - filled);
        } catch (IOException e) {
            try {
                process.waitFor();
                return from.read(buffer, filled, buffer.length - filled);
            } catch (IOException again) {
                return -1;
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return -1;
            }
        }
    }

    @Override
    public void awaitLastLines() {
        List<Thread> threads;
        synchronized (this) {
            threads = List.copyOf(pumps);
        }
        long deadlineNs = System.nanoTime() + LAST_LINES_LIMIT_NS;
        try {
            for (Thread pump : threads) {
                pump.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public List<String> lastLines(int count) {
        return kept.last(count);
    }
}
