// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Copies a log, byte by byte, without the timestamps at the beginning of its lines. After a break of the connection it
 * continues where it was. A line without a timestamp comes from the API server itself, and is left out. Not
 * thread-safe, except {@link #check}.
 */
final class LogCopy extends OutputStream {

    private static final int LONGEST_TIME = 40;

    private enum At {
        TIME,
        WANTED,
        UNWANTED
    }

    private final OutputStream to;
    private final ByteArrayOutputStream time = new ByteArrayOutputStream();
    private At at = At.TIME;

    /** The timestamp of the last line, and how many bytes with that timestamp were read. */
    private Instant last = Instant.EPOCH;

    private long lastBytes;

    /** The same for the beginning of this connection: how many bytes with that timestamp arrive again. */
    private Instant begin = Instant.EPOCH;

    private long known;
    private volatile @Nullable IOException failure;

    LogCopy(OutputStream to) {
        this.to = to;
    }

    /** Continues with a new connection, and returns the time from which its lines are needed. */
    Instant resume() {
        begin = last;
        // A connection may have ended before the known lines had arrived again.
        known += lastBytes;
        lastBytes = 0;
        endLine();
        return begin;
    }

    /** Throws an earlier error of the destination. */
    void check() throws IOException {
        IOException thrown = failure;
        if (thrown != null) {
            throw thrown;
        }
    }

    @Override
    public void write(int oneByte) throws IOException {
        write(new byte[] {(byte) oneByte}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        try {
            int end = from + count;
            for (int next = from; next < end; ) {
                next = at == At.TIME ? readTime(bytes, next) : readLine(bytes, next, end);
            }
            to.flush();
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    private int readTime(byte[] bytes, int from) {
        if (bytes[from] == '\n') {
            endLine();
        } else if (bytes[from] == ' ' || time.size() > LONGEST_TIME) {
            at = isWanted() ? At.WANTED : At.UNWANTED;
        } else {
            time.write(bytes[from]);
        }
        return from + 1;
    }

    private boolean isWanted() {
        try {
            Instant read = Instant.parse(time.toString(StandardCharsets.US_ASCII));
            if (read.isBefore(begin)) {
                return false;
            }
            if (!read.equals(last)) {
                last = read;
                lastBytes = 0;
                known = 0;
            }
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private int readLine(byte[] bytes, int from, int end) throws IOException {
        int next = from;
        while (next < end && bytes[next] != '\n') {
            next++;
        }
        boolean isEnd = next < end;
        next += isEnd ? 1 : 0;
        if (at == At.WANTED) {
            int skipped = (int) Math.min(known, next - from);
            known -= skipped;
            lastBytes += next - from;
            to.write(bytes, from + skipped, next - from - skipped);
        }
        if (isEnd) {
            endLine();
        }
        return next;
    }

    private void endLine() {
        at = At.TIME;
        time.reset();
    }
}
