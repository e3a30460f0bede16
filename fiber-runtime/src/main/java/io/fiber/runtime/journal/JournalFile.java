// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.journal;

import io.fiber.FiberException;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * A file of records, each with a checksum, to which records are appended. It uses only reads, writes, truncation and
 * {@code fsync}, which network file systems have. One thread appends; any thread reads records that were flushed, and no
 * interrupt closes the file, as it would close a channel.
 *
 * <p>The file begins with {@link #HEADER_BYTES} bytes: a name, a version and their checksum. A record has a head (a mark,
 * the type, the length of its body, a checksum of these), the body, and a checksum of the body. All numbers are big endian.
 *
 * <p>If a host loses its power, bytes that were not synced may be missing, zero or damaged, in any order. So each record of
 * the type {@link #SYNCED} contains the length up to which the file was synced. Damage behind the greatest such length is
 * cut off. Damage before it is an error, because synced bytes do not change by themselves.
 */
final class JournalFile implements AutoCloseable {

    /** The type of the records by which the file tells how much of it was synced. Its body is that length. */
    static final byte SYNCED = 1;

    static final int HEADER_BYTES = 16;
    static final int HEAD_BYTES = Integer.BYTES + Byte.BYTES + Long.BYTES + Integer.BYTES;

    private static final byte[] NAME = "FIBERJNL".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION = 1;
    private static final int MARK = 0xF1BE2A6E;
    /** Fewer and larger calls of the system read a large file faster, up to about this size. */
    private static final int BUFFER_BYTES = 1 << 18;
    /** How much of a body a {@link Visitor} sees: all of a function's, and more than a record tells about its results. */
    static final int SHOWN_BYTES = BUFFER_BYTES;

    private final Path path;
    private final RandomAccessFile writer;
    /** Used under its lock. */
    private final RandomAccessFile reader;

    private final ByteBuffer out = ByteBuffer.allocate(BUFFER_BYTES);
    private final CRC32C crc = new CRC32C();
    /** The length that the file has when {@link #out} is written. */
    private long length;
    /** Where {@link #out} goes. */
    private long written;
    /** The length at the last {@link #flush}. */
    private long whole;

    private JournalFile(Path path, RandomAccessFile writer, RandomAccessFile reader) {
        this.path = path;
        this.writer = writer;
        this.reader = reader;
    }

    /** Receives the records of a file in their order. */
    interface Visitor {
        /**
         * Takes a record.
         *
         * @param body the body, of a long one the first {@link #SHOWN_BYTES} bytes
         * @return false if the record contradicts those before it, and so must be damaged
         */
        boolean onRecord(byte type, byte[] body, long offset);
    }

    /**
     * Opens a file for appending, or creates it.
     *
     * @throws FiberException FBR-581 if it is damaged, FBR-582 if it is not a journal
     */
    static Opened open(Path path, Visitor visitor) throws IOException {
        RandomAccessFile writer = new RandomAccessFile(path.toFile(), "rw");
        JournalFile file = new JournalFile(path, writer, new RandomAccessFile(path.toFile(), "r"));
        try {
            long size = writer.length();
            long end = file.scan(size, visitor);
            if (end < size) {
                writer.setLength(end);
            }
            file.length = end;
            file.written = end;
            file.whole = end;
            if (end < HEADER_BYTES) {
                file.writeHeader();
            }
            return new Opened(file, end < HEADER_BYTES ? 0 : size - end);
        } catch (IOException | RuntimeException | Error e) {
            file.close();
            throw e;
        }
    }

    /** A file, and how many bytes were cut off its end. */
    record Opened(JournalFile file, long cutBytes) {}

    /**
     * Reads a file without changing it, even while another process appends to it.
     *
     * @return how many bytes at its end are not whole records
     */
    static long read(Path path, Visitor visitor) throws IOException {
        try (RandomAccessFile only = new RandomAccessFile(path.toFile(), "r")) {
            JournalFile file = new JournalFile(path, only, only);
            long size = only.length();
            return size - file.scan(size, visitor);
        }
    }

    private void writeHeader() throws IOException {
        out.put(NAME).putInt(VERSION);
        out.putInt(checksum(out.array(), 0, NAME.length + Integer.BYTES));
        length = HEADER_BYTES;
        flush();
        force();
        try (FileChannel directory = FileChannel.open(path.toAbsolutePath().getParent())) {
            directory.force(true);
        } catch (IOException e) {
            // Some file systems cannot; there, the name of a new file may be lost with the power.
        }
    }

    /** Returns the length up to the end of the last whole record; 0 if the header is not whole. */
    private long scan(long size, Visitor visitor) throws IOException {
        Reading in = new Reading(0, size);
        if (!readHeader(in, size)) {
            return 0;
        }
        long position = HEADER_BYTES;
        while (position < size) {
            long end = in.record(position, visitor);
            if (end < 0) {
                requireNotSynced(position, size);
                return position;
            }
            position = end;
        }
        return position;
    }

    private boolean readHeader(Reading in, long size) throws IOException {
        ByteBuffer header = in.peek(0, (int) Math.min(HEADER_BYTES, size));
        byte[] bytes = new byte[header.remaining()];
        header.get(bytes);
        boolean isTorn = bytes.length < HEADER_BYTES;
        if (size <= HEADER_BYTES && Arrays.equals(bytes, new byte[bytes.length])) {
            // The header is synced before anything follows it.
            return false;
        }
        for (int i = 0; i < Math.min(NAME.length, bytes.length); i++) {
            if (bytes[i] != NAME[i]) {
                throw new FiberException(
                        "FBR-582",
                        "The file '" + path + "' (from CallOptions.journal) is not a journal of Fiber, and was not"
                                + " changed. Name a new file, or one that an earlier run of this program wrote.");
            }
        }
        if (isTorn) {
            return false;
        }
        ByteBuffer rest = ByteBuffer.wrap(bytes, NAME.length, HEADER_BYTES - NAME.length);
        int version = rest.getInt();
        if (rest.getInt() != checksum(bytes, 0, NAME.length + Integer.BYTES)) {
            throw damaged(0);
        }
        if (version != VERSION) {
            throw new FiberException(
                    "FBR-582",
                    "The journal '" + path + "' (from CallOptions.journal) has format " + version
                            + ", and this version of Fiber reads and writes format " + VERSION
                            + ". Use the version of Fiber that wrote it, or a new file.");
        }
        return true;
    }

    /** Damage may only be where the file was not synced, which a later record would tell. */
    private void requireNotSynced(long damage, long size) throws IOException {
        Reading in = new Reading(damage + 1, size);
        long[] synced = {0};
        Visitor marks = (type, body, offset) -> {
            if (type == SYNCED) {
                synced[0] = Math.max(synced[0], ByteBuffer.wrap(body).getLong());
            }
            return true;
        };
        long at = in.nextMark(damage + 1);
        while (at >= 0) {
            long end = in.record(at, marks);
            if (synced[0] > damage) {
                throw damaged(damage);
            }
            at = in.nextMark(end < 0 ? at + 1 : end);
        }
    }

    private FiberException damaged(long offset) {
        return new FiberException(
                "FBR-581",
                "The journal '" + path + "' (from CallOptions.journal) is damaged from byte " + offset
                        + " on, although this part had been written to the disk. Restore the file from a copy, or keep"
                        + " the results before the damage: truncate -s " + offset + " '" + path
                        + "'. Tasks whose results are cut off run again.");
    }

    /** Appends a record, whose body is both parts. It is in the file after the next {@link #flush}. */
    void append(byte type, ByteBuffer start, PayloadInput rest) throws IOException {
        long bodyBytes = start.remaining() + rest.remaining();
        byte[] head = new byte[HEAD_BYTES];
        ByteBuffer.wrap(head)
                .putInt(MARK)
                .put(type)
                .putLong(bodyBytes)
                .putInt(checksum(head, 0, HEAD_BYTES - Integer.BYTES));
        put(head, 0, HEAD_BYTES);
        crc.reset();
        putBody(start.array(), start.arrayOffset() + start.position(), start.remaining());
        while (rest.remaining() > 0) {
            int count = (int) Math.min(rest.remaining(), Payload.GREATEST_SEGMENT_BYTES);
            byte[] bytes = rest.take(count);
            putBody(bytes, rest.taken(), count);
        }
        byte[] tail = new byte[Integer.BYTES];
        ByteBuffer.wrap(tail).putInt((int) crc.getValue());
        put(tail, 0, tail.length);
    }

    private void putBody(byte[] bytes, int offset, int count) throws IOException {
        crc.update(bytes, offset, count);
        put(bytes, offset, count);
    }

    private void put(byte[] bytes, int offset, int count) throws IOException {
        length += count;
        if (count > out.capacity()) {
            write();
            writeFully(ByteBuffer.wrap(bytes, offset, count));
            return;
        }
        if (count > out.remaining()) {
            write();
        }
        out.put(bytes, offset, count);
    }

    /** Hands all appended records to the operating system: from then on, only the end of the host loses them. */
    void flush() throws IOException {
        write();
        whole = length;
    }

    private void write() throws IOException {
        out.flip();
        writeFully(out);
        out.clear();
    }

    private void writeFully(ByteBuffer bytes) throws IOException {
        writer.seek(written);
        writer.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
        written += bytes.remaining();
    }

    /** Returns whether the file has the length that this process has given to it. */
    boolean isOurs() throws IOException {
        return writer.length() == whole;
    }

    /** Removes what was appended since the last {@link #flush}, after a write that failed. */
    void cutUnflushed() throws IOException {
        out.clear();
        written = whole;
        length = whole;
        writer.setLength(whole);
    }

    /** Waits until the disk has all flushed records. */
    void force() throws IOException {
        writer.getFD().sync();
    }

    /** Returns the length of the file up to the last flushed record. */
    long length() {
        return whole;
    }

    /** Returns {@code count} bytes of a body from {@code from} on, of the record at {@code offset}. Any thread may call it. */
    ByteBuffer body(long offset, long from, int count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(count);
        synchronized (reader) {
            reader.seek(offset + HEAD_BYTES + from);
            reader.readFully(bytes.array());
        }
        return bytes;
    }

    /** Returns bytes of a body as {@link #body} does, as many as a payload may have. */
    Payload payload(long offset, long from, long count) throws IOException {
        List<byte[]> segments = new ArrayList<>();
        for (long done = 0; done < count; ) {
            int part = (int) Math.min(count - done, Payload.GREATEST_SEGMENT_BYTES);
            segments.add(body(offset, from + done, part).array());
            done += part;
        }
        return Payload.of(segments);
    }

    @Override
    public void close() throws IOException {
        try (writer) {
            reader.close();
        }
    }

    private static int checksum(byte[] bytes, int offset, int count) {
        CRC32C sum = new CRC32C();
        sum.update(bytes, offset, count);
        return (int) sum.getValue();
    }

    /** Reads a file forward through a buffer. */
    private final class Reading {
        private final byte[] window = new byte[BUFFER_BYTES];
        private final long size;
        private long start;
        private int count;

        Reading(long start, long size) {
            this.start = start;
            this.size = size;
        }

        /** Returns the bytes at a place; fewer than {@code wanted} only at the end of the file. */
        private ByteBuffer peek(long at, int wanted) throws IOException {
            int available = (int) Math.min(wanted, size - at);
            if (at < start || at + available > start + count) {
                start = at;
                count = 0;
                int most = (int) Math.min(window.length, size - at);
                reader.seek(at);
                reader.readFully(window, 0, most);
                count = most;
            }
            return ByteBuffer.wrap(window, (int) (at - start), available).slice();
        }

        /** Shows a record, if there is a whole one at this place; returns its end, or a negative number. */
        long record(long at, Visitor visitor) throws IOException {
            ByteBuffer head = peek(at, HEAD_BYTES);
            if (head.remaining() < HEAD_BYTES || head.getInt() != MARK) {
                return -1;
            }
            byte type = head.get();
            long bodyBytes = head.getLong();
            crc.reset();
            crc.update(head.rewind().limit(HEAD_BYTES - Integer.BYTES));
            boolean isHead = head.limit(HEAD_BYTES).getInt() == (int) crc.getValue();
            long body = at + HEAD_BYTES;
            if (!isHead || bodyBytes < 0 || bodyBytes > size - body - Integer.BYTES) {
                return -1;
            }
            byte[] shown = new byte[(int) Math.min(bodyBytes, SHOWN_BYTES)];
            peek(body, shown.length).get(shown);
            long end = body + bodyBytes;
            crc.reset();
            for (long from = body; from < end; ) {
                ByteBuffer part = peek(from, (int) Math.min(end - from, BUFFER_BYTES));
                from += part.remaining();
                crc.update(part);
            }
            if (peek(end, Integer.BYTES).getInt() != (int) crc.getValue()) {
                return -1;
            }
            return visitor.onRecord(type, shown, at) ? end + Integer.BYTES : -1;
        }

        /** Returns the next place at or behind {@code from} with the mark of a record, or a negative number. */
        long nextMark(long from) throws IOException {
            for (long at = from; size - at >= HEAD_BYTES; at++) {
                if (peek(at, Integer.BYTES).getInt() == MARK) {
                    return at;
                }
            }
            return -1;
        }
    }
}
