// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.agrona.DirectBuffer;

/**
 * Collects bytes into growing segments, from 256 bytes to 256 KiB, so that small payloads cost little and large ones
 * are never copied. A larger array is a segment of its own: its receiver makes the array that a reader gets as soon as it
 * knows its length. Not thread-safe.
 */
public final class PayloadOutput extends OutputStream {

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final int FIRST_SEGMENT_BYTES = 256;

    private static final int FIRST_ANNOUNCED_SEGMENT_BYTES = 1 << 16;

    /** The most bytes of a number in groups of seven bits. */
    private static final int GREATEST_VAR_BYTES = 10;

    private static final byte[] NOTHING = new byte[0];

    private final long limitBytes;
    private final int firstSegmentBytes;
    private final HeapRoom room;
    private boolean isReferring;
    private long nextLookBytes;
    private List<byte[]> full = new ArrayList<>();
    private byte[] segment = NOTHING;
    private int position;
    private long fullBytes;

    /** Creates an output of up to {@link Payload#LIMIT_BYTES}, or less if the heap has no room for more. */
    public PayloadOutput() {
        this(Payload.LIMIT_BYTES);
    }

    /** Creates an output that accepts {@code limitBytes} and then throws {@link PayloadLimitException}. */
    public PayloadOutput(long limitBytes) {
        this(limitBytes, FIRST_SEGMENT_BYTES, HeapRoom.OF_PROCESS);
    }

    PayloadOutput(HeapRoom room) {
        this(Payload.LIMIT_BYTES, FIRST_SEGMENT_BYTES, room);
    }

    private PayloadOutput(long limitBytes, int firstSegmentBytes, HeapRoom room) {
        if (limitBytes < 0) {
            throw new IllegalArgumentException("limitBytes is " + limitBytes + ", expected 0 or more.");
        }
        this.limitBytes = limitBytes;
        this.firstSegmentBytes = firstSegmentBytes;
        this.room = room;
        this.nextLookBytes = room.firstLookBytes();
    }

    /**
     * Creates an output for a payload of an announced length that arrives in parts. Memory is taken as the bytes
     * arrive, not when they are announced.
     */
    public static PayloadOutput ofAnnounced(long length) {
        return new PayloadOutput(length, FIRST_ANNOUNCED_SEGMENT_BYTES, HeapRoom.ANY);
    }

    @Override
    public void write(int value) {
        if (position == segment.length) {
            grow();
        }
        segment[position++] = (byte) value;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        require(length);
        int from = offset;
        int left = length;
        while (left > 0) {
            int part = Math.min(left, room());
            System.arraycopy(bytes, from, segment, position, part);
            position += part;
            from += part;
            left -= part;
        }
    }

    /**
     * Has large arrays sent from where they are, instead of from copies. Their owner must not change them as long as the payload may
     * be sent.
     */
    public void referToArrays() {
        isReferring = true;
    }

    /** Writes the bytes of an array, which the reader of the payload will read as a whole. */
    public void writeArray(byte[] bytes) {
        require(bytes.length);
        boolean isSafe = isReferring || bytes.length <= Payload.GREATEST_SEGMENT_BYTES;
        takeArray(isSafe ? bytes : bytes.clone());
    }

    /** Writes the bytes of an array as {@link #writeArray} does. The array belongs to this output from now on. */
    public void takeArray(byte[] bytes) {
        if (bytes.length <= Payload.GREATEST_SEGMENT_BYTES) {
            write(bytes, 0, bytes.length);
            return;
        }
        require(bytes.length);
        endSegment();
        full.add(bytes);
        fullBytes += bytes.length;
    }

    /** The next {@code count} bytes are those of an array that the reader of the payload will read as a whole. */
    void beginArray(int count) {
        require(count);
        endSegment();
        segment = new byte[count];
    }

    /** Makes what was written a segment of its own. */
    private void endSegment() {
        if (position > 0) {
            full.add(position == segment.length ? segment : Arrays.copyOf(segment, position));
            fullBytes += position;
        }
        segment = NOTHING;
        position = 0;
    }

    /** Writes the bytes of a buffer from its position to its limit. */
    public void write(ByteBuffer content) {
        require(content.remaining());
        while (content.hasRemaining()) {
            int part = Math.min(content.remaining(), room());
            content.get(segment, position, part);
            position += part;
        }
    }

    /** Writes {@code length} bytes of a buffer from {@code offset} on. */
    public void write(DirectBuffer source, int offset, int length) {
        require(length);
        int done = 0;
        while (done < length) {
            int part = Math.min(length - done, room());
            source.getBytes(offset + done, segment, position, part);
            position += part;
            done += part;
        }
    }

    /** Returns how many bytes fit into the current segment, at least one. */
    private int room() {
        if (position == segment.length) {
            grow();
        }
        return segment.length - position;
    }

    /**
     * Checks that {@code count} more bytes are within the limit, before the work of writing them; reserves nothing.
     *
     * @throws PayloadLimitException if they are not
     */
    public void require(long count) {
        if (count > missing()) {
            throw new PayloadLimitException(limitBytes);
        }
    }

    /** Writes an int as four bytes, big endian. */
    public void writeInt(int value) {
        if (segment.length - position >= Integer.BYTES) {
            INT.set(segment, position, value);
            position += Integer.BYTES;
            return;
        }
        write(value >>> 24);
        write(value >>> 16);
        write(value >>> 8);
        write(value);
    }

    /** Writes a long as eight bytes, big endian. */
    public void writeLong(long value) {
        if (segment.length - position >= Long.BYTES) {
            LONG.set(segment, position, value);
            position += Long.BYTES;
            return;
        }
        writeInt((int) (value >>> 32));
        writeInt((int) value);
    }

    /** Writes an unsigned number in groups of seven bits, the lowest first: one byte up to 127. */
    public void writeVarLong(long value) {
        long rest = value;
        if (segment.length - position >= GREATEST_VAR_BYTES) {
            byte[] target = segment;
            int at = position;
            while ((rest & ~0x7FL) != 0) {
                target[at++] = (byte) (rest | 0x80);
                rest >>>= 7;
            }
            target[at++] = (byte) rest;
            position = at;
            return;
        }
        while ((rest & ~0x7FL) != 0) {
            write((int) (rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        write((int) rest);
    }

    /** Writes the length in bytes and the text in UTF-8. */
    public void writeText(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        writeVarLong(bytes.length);
        write(bytes, 0, bytes.length);
    }

    /** Writes the number of entries, and the key and value of each. */
    public void writeTextMap(Map<String, String> texts) {
        writeVarLong(texts.size());
        for (Map.Entry<String, String> entry : texts.entrySet()) {
            writeText(entry.getKey());
            writeText(entry.getValue());
        }
    }

    /** Writes whether there is a text, and the text if there is one. */
    public void writeOptionalText(Optional<String> text) {
        write(text.isPresent() ? 1 : 0);
        if (text.isPresent()) {
            writeText(text.get());
        }
    }

    /**
     * Overwrites four bytes as {@link #writeInt} would write them, for a length that becomes known later.
     *
     * @throws IndexOutOfBoundsException if not all four bytes were written before
     */
    public void setInt(long at, int value) {
        if (at < 0 || at > length() - Integer.BYTES) {
            throw new IndexOutOfBoundsException("Four bytes at " + at + " of " + length() + ".");
        }
        set(at, value >>> 24);
        set(at + 1, value >>> 16);
        set(at + 2, value >>> 8);
        set(at + 3, value);
    }

    /**
     * Removes the bytes after the first {@code length}.
     *
     * @throws IllegalArgumentException if fewer than {@code length} bytes were written
     */
    public void truncate(long length) {
        if (length < 0 || length > length()) {
            throw new IllegalArgumentException("Cannot go back to byte " + length + " of " + length() + ".");
        }
        boolean isInOther = length < fullBytes;
        while (length < fullBytes) {
            segment = full.remove(full.size() - 1);
            fullBytes -= segment.length;
        }
        position = (int) (length - fullBytes);
        if (isInOther) {
            // It may be an array of the program.
            segment = Arrays.copyOf(segment, position);
        }
        setNextLook();
    }

    /** Writes all bytes of a payload. */
    public void append(Payload payload) {
        for (byte[] bytes : payload.segments()) {
            write(bytes, 0, bytes.length);
        }
    }

    /** Passes the bytes from {@code from} on to a digest. */
    public void digest(long from, MessageDigest digest) {
        long start = 0;
        for (byte[] bytes : full) {
            if (from < start + bytes.length) {
                int skipped = (int) Math.max(0, from - start);
                digest.update(bytes, skipped, bytes.length - skipped);
            }
            start += bytes.length;
        }
        int skipped = (int) Math.max(0, from - start);
        digest.update(segment, skipped, position - skipped);
    }

    /** Returns how many more bytes are within the limit. */
    public long missing() {
        return limitBytes - length();
    }

    /** Returns how many bytes were written. */
    public long length() {
        return fullBytes + position;
    }

    /** Returns the written bytes and clears the output. */
    public Payload toPayload() {
        byte[] last = position == segment.length ? segment : Arrays.copyOf(segment, position);
        Payload payload;
        if (full.isEmpty()) {
            payload = Payload.of(last);
        } else {
            if (last.length > 0) {
                full.add(last);
            }
            payload = Payload.of(full);
            full = new ArrayList<>();
        }
        if (last == segment) {
            segment = NOTHING;
        }
        position = 0;
        fullBytes = 0;
        setNextLook();
        return payload;
    }

    private void set(long at, int value) {
        long start = fullBytes;
        byte[] target = segment;
        for (int i = full.size() - 1; at < start; i--) {
            target = full.get(i);
            start -= target.length;
        }
        target[(int) (at - start)] = (byte) value;
    }

    private void setNextLook() {
        nextLookBytes = Math.max(room.firstLookBytes(), room.nextLookBytes(length()));
    }

    private void grow() {
        require(1);
        if (length() >= nextLookBytes) {
            if (room.isShort()) {
                throw PayloadLimitException.ofHeap(length(), room.heapBytes());
            }
            setNextLook();
        }
        if (segment.length > 0) {
            fullBytes += segment.length;
            full.add(segment);
        }
        long next = Math.min(Math.max((long) segment.length * 2, firstSegmentBytes), Payload.GREATEST_SEGMENT_BYTES);
        segment = new byte[(int) Math.min(next, limitBytes - fullBytes)];
        position = 0;
    }
}
