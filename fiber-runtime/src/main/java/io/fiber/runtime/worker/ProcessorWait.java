// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import java.io.IOException;
import java.io.RandomAccessFile;
import org.jspecify.annotations.Nullable;

/**
 * How long a thread was ready to run and waited for a processor, as Linux counts it (the second number of {@code
 * /proc/thread-self/schedstat}, proc(5)). Measured task times exclude this wait, because with more workers than
 * processors it can be a thousand times as long as the task: wall time would make chunks ever smaller. Processor time
 * would ignore tasks that sleep. Other systems report no wait. Used by one thread. A look takes about a microsecond.
 */
final class ProcessorWait {

    /** Work that took less cannot have waited for long. */
    private static final long QUICK_NS = 200_000;

    private final @Nullable RandomAccessFile file;
    private final byte[] text = new byte[64];
    private long seenNs;
    private boolean isCounted;
    private boolean wasQuick;

    private ProcessorWait(@Nullable RandomAccessFile file) {
        this.file = file;
    }

    /** Returns the wait of the calling thread. */
    static ProcessorWait ofThisThread() {
        try {
            return new ProcessorWait(new RandomAccessFile("/proc/thread-self/schedstat", "r"));
        } catch (IOException e) {
            return new ProcessorWait(null);
        }
    }

    /** Called when work of this many items starts. After a quick item, a single item is not worth a look. */
    void begin(int items) {
        isCounted = file != null && (items > 1 || !wasQuick);
        if (isCounted) {
            seenNs = totalNs();
        }
    }

    /** Returns {@code elapsedNs}, the time since the work started or since the last call, without the wait. */
    long without(long elapsedNs) {
        wasQuick = elapsedNs < QUICK_NS;
        if (wasQuick || !isCounted) {
            return elapsedNs;
        }
        long before = seenNs;
        seenNs = totalNs();
        return Math.max(1, elapsedNs - (seenNs - before));
    }

    /** Called when the thread has waited for something else, whose time does not count. */
    void skip() {
        if (isCounted) {
            seenNs = totalNs();
        }
    }

    private long totalNs() {
        RandomAccessFile counted = file;
        try {
            if (counted != null) {
                counted.seek(0);
                return secondNumber(text, counted.read(text));
            }
        } catch (IOException e) {
            isCounted = false;
        }
        return seenNs;
    }

    static long secondNumber(byte[] text, int length) {
        int at = 0;
        while (at < length && text[at] != ' ') {
            at++;
        }
        long number = 0;
        for (at++; at < length && text[at] >= '0' && text[at] <= '9'; at++) {
            number = 10 * number + text[at] - '0';
        }
        return number;
    }
}
