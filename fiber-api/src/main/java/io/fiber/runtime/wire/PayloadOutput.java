// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.wire;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Collects bytes into segments that grow with the amount, from 256 bytes to 1 MiB, so that small payloads cost little and
 * great ones are never copied. Not thread-safe.
 */
public final class PayloadOutput extends OutputStream {

    private static final int FIRST_SEGMENT_BYTES = 256;
    private static final int GREATEST_SEGMENT_BYTES = 1 << 20;

    private final long limitBytes;
    private List<byte[]> full = new ArrayList<>();
    private byte[] segment = new byte[FIRST_SEGMENT_BYTES];
    private int position;
    private long fullBytes;

    /** Creates an output that takes up to {@link Payload#LIMIT_BYTES}. */
    public PayloadOutput() {
        this(Payload.LIMIT_BYTES);
    }

    /** Creates an output that takes up to {@code limitBytes} and then throws {@link PayloadLimitException}. */
    public PayloadOutput(long limitBytes) {
        this.limitBytes = limitBytes;
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
        int from = offset;
        int left = length;
        while (left > 0) {
            if (position == segment.length) {
                grow();
            }
            int part = Math.min(left, segment.length - position);
            System.arraycopy(bytes, from, segment, position, part);
            position += part;
            from += part;
            left -= part;
        }
    }

    /** Writes an int of four bytes, big endian. */
    public void writeInt(int value) {
        write(value >>> 24);
        write(value >>> 16);
        write(value >>> 8);
        write(value);
    }

    /** Writes a long of eight bytes, big endian. */
    public void writeLong(long value) {
        writeInt((int) (value >>> 32));
        writeInt((int) value);
    }

    /** Writes an unsigned number in groups of seven bits, least first: one byte up to 127. */
    public void writeVarLong(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            write((int) (rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        write((int) rest);
    }

    /** Writes a text in UTF-8 behind its length in bytes. */
    public void writeText(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        writeVarLong(bytes.length);
        write(bytes, 0, bytes.length);
    }

    /** Returns how many bytes were written. */
    public long length() {
        return fullBytes + position;
    }

    /** Returns what was written and starts anew. */
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
            segment = new byte[FIRST_SEGMENT_BYTES];
        }
        position = 0;
        fullBytes = 0;
        return payload;
    }

    private void grow() {
        fullBytes += segment.length;
        if (fullBytes >= limitBytes) {
            throw new PayloadLimitException(limitBytes);
        }
        full.add(segment);
        long next = Math.min(Math.max((long) segment.length * 2, FIRST_SEGMENT_BYTES), GREATEST_SEGMENT_BYTES);
        segment = new byte[(int) Math.min(next, limitBytes - fullBytes)];
        position = 0;
    }
}
