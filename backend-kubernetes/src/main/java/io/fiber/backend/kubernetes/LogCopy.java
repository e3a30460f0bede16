// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Copies a log, byte by byte, without the timestamps at the beginning of its lines, over any number of connections. A
 * line without a timestamp comes from the API server itself, and is left out.
 *
 * <p>The kubelet replaces the file of a log that has become too long. The API server gives only the newest file, and an
 * open connection may stay at an old one. So when a long log falls silent, another connection is needed: soon, because
 * the next file must be found before it is replaced too, and once more when the kubelet has certainly looked at the
 * file. A kubelet that is behind sends a file from its beginning again on the same connection, once for each event of
 * the file before it. Thread-safe.
 */
final class LogCopy {

    /** The kubelet looks every 10 s which files are too long, so each one lasts at least this long. */
    private static final Duration SHORTEST_FILE = Duration.ofSeconds(9);

    /** Shorter files are not replaced: the kubelet's default is 10 MiB, and a limit below 1 MiB is unknown. */
    private static final long LONG_BYTES = 512 << 10;

    /** How long after the last line another connection is opened: before the next file can replace this one, and after. */
    private static final long[] LOOKS_NS = {TimeUnit.SECONDS.toNanos(5), TimeUnit.SECONDS.toNanos(13)};

    /** A connection that is silent for this long has brought all that was there when it was opened. */
    private static final long SETTLED_NS = TimeUnit.SECONDS.toNanos(3);

    /**
     * A line that is older than the last one by more than this is sent again. The lines of two streams may change places
     * by less. If the clock of a node is set back by more, the lines until it has caught up are left out.
     */
    private static final Duration LONGEST_DISORDER = Duration.ofSeconds(1);

    private static final int LONGEST_TIME = 40;

    private enum At {
        TIME,
        WANTED,
        UNWANTED
    }

    /** How the previous connection ended. */
    enum Previous {
        /** At the end of the log, or there was none. */
        COMPLETE,
        /** By a failure. */
        BROKEN,
        /** It brings nothing, and is given up. */
        SILENT
    }

    /** Learns what the log does not contain. Is called while a line is being copied. */
    interface Gaps {
        /** The first line has this time. */
        void begins(Instant first);

        /** Lines between two that came one after the other may be missing. */
        void mayBeMissing(Instant after, Instant before);
    }

    private final OutputStream to;
    private final Gaps gaps;
    private final LongSupplier clock;
    private final ReentrantLock writing = new ReentrantLock();
    private final ByteArrayOutputStream time = new ByteArrayOutputStream();
    private At at = At.TIME;

    /** The timestamp of the last line, and how many bytes with that timestamp were read. */
    private Instant last = Instant.EPOCH;

    private long lastBytes;

    /** The same for the beginning of this connection: how many bytes with that timestamp arrive again. */
    private Instant begin = Instant.EPOCH;

    private long known;

    /** Whether the last line has been copied only in part. */
    private boolean isCut;

    private Previous previous = Previous.COMPLETE;
    private boolean isLastInFile;
    private volatile long cameNs;
    private long fileBytes;
    private volatile boolean isLong;
    private volatile @Nullable Connection current;
    private volatile @Nullable IOException failure;

    LogCopy(OutputStream to, Gaps gaps, LongSupplier clock) {
        this.to = to;
        this.gaps = gaps;
        this.clock = clock;
        this.cameNs = clock.getAsLong();
    }

    /**
     * Returns the destination of a new connection, which replaces the previous one; empty while something that the
     * previous one has brought is being written.
     */
    Optional<Connection> connect(Previous how) {
        if (!writing.tryLock()) {
            return Optional.empty();
        }
        try {
            Connection left = current;
            if (left != null && (left.hasLast || clock.getAsLong() - left.openedNs > SETTLED_NS)) {
                isLastInFile = left.hasLast;
            }
            previous = how;
            beginAgain();
            endLine();
            Connection made = new Connection(begin);
            current = made;
            return Optional.of(made);
        } finally {
            writing.unlock();
        }
    }

    /** Leaves out what has been copied. An earlier repetition may have ended before all of it had arrived again. */
    private void beginAgain() {
        begin = last;
        known += lastBytes;
        lastBytes = 0;
    }

    /** Returns after how many nanoseconds this connection must be replaced if nothing more comes; empty for never. */
    OptionalLong lookAfterNs() {
        Connection open = current;
        if (open != null && isLong) {
            for (long look : LOOKS_NS) {
                if (open.openedNs - cameNs < look) {
                    return OptionalLong.of(Math.max(0, look - (clock.getAsLong() - cameNs)));
                }
            }
        }
        return OptionalLong.empty();
    }

    /** Returns whether the file may have been replaced by now, as far as its size is known. */
    boolean isLong() {
        return isLong;
    }

    /** Throws an earlier error of the destination. */
    void check() throws IOException {
        IOException thrown = failure;
        if (thrown != null) {
            throw thrown;
        }
    }

    /** What one connection brings. It is ignored when the connection has been replaced. */
    final class Connection extends OutputStream {
        private final Instant since;
        private final long openedNs = clock.getAsLong();
        private boolean hasNews;
        private boolean hasLast;

        private Connection(Instant since) {
            this.since = since;
        }

        /** Returns the time from which lines are needed. */
        Instant since() {
            return since;
        }

        @Override
        public void write(int oneByte) throws IOException {
            write(new byte[] {(byte) oneByte}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            writing.lock();
            try {
                int end = from + count;
                for (int next = from; next < end && current == this; ) {
                    next = at == At.TIME ? readTime(bytes, next) : readLine(bytes, next, end);
                }
                to.flush();
            } catch (IOException e) {
                failure = e;
                throw e;
            } finally {
                writing.unlock();
            }
        }

        private int readTime(byte[] bytes, int from) throws IOException {
            if (bytes[from] == '\n') {
                endLine();
            } else if (bytes[from] == ' ' || time.size() > LONGEST_TIME) {
                at = isWanted() ? At.WANTED : At.UNWANTED;
            } else {
                time.write(bytes[from]);
            }
            return from + 1;
        }

        private boolean isWanted() throws IOException {
            try {
                Instant read = Instant.parse(time.toString(StandardCharsets.US_ASCII));
                if (read.plus(LONGEST_DISORDER).isBefore(last)) {
                    beginAgain();
                }
                hasLast |= !read.isAfter(begin);
                if (read.isBefore(begin)) {
                    return false;
                }
                if (!read.equals(last)) {
                    take(read);
                }
                return true;
            } catch (DateTimeException e) {
                return false;
            }
        }

        /** Begins the first line of a time. */
        private void take(Instant read) throws IOException {
            if (last.equals(Instant.EPOCH)) {
                gaps.begins(read);
            } else if (isCut || isGapBefore(read)) {
                gaps.mayBeMissing(last, read);
            }
            if (isCut) {
                to.write('\n');
                isCut = false;
            }
            if (!hasLast) {
                fileBytes = 0;
                isLong = false;
            }
            hasLast = true;
            hasNews = true;
            last = read;
            lastBytes = 0;
            known = 0;
            cameNs = clock.getAsLong();
        }

        /**
         * Returns whether lines may be missing: the rest of a file from which a connection broke off, or a whole file
         * between two.
         */
        private boolean isGapBefore(Instant read) {
            if (!hasLast && previous == Previous.BROKEN) {
                return isLastInFile;
            }
            boolean isSettled = !hasNews && clock.getAsLong() - openedNs > SETTLED_NS;
            long upToDateNs = isSettled ? openedNs - cameNs : 0;
            return isLong
                    && upToDateNs < LOOKS_NS[1]
                    && last.plusNanos(upToDateNs).plus(SHORTEST_FILE).isBefore(read);
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
                fileBytes += next - from - skipped + (isEnd ? LONGEST_TIME : 0);
                isLong = fileBytes >= LONG_BYTES;
                to.write(bytes, from + skipped, next - from - skipped);
                if (next - from > skipped) {
                    isCut = !isEnd;
                }
            }
            if (isEnd) {
                endLine();
            }
            return next;
        }
    }

    private void endLine() {
        at = At.TIME;
        time.reset();
    }
}
