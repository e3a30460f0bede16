// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads a {@link Payload}, or a part of one, from its start. Not thread-safe. */
public final class PayloadInput extends InputStream {

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final byte[] NOTHING = new byte[0];

    private final Payload payload;
    private final List<byte[]> segments;
    private final long length;
    private final boolean isOwner;
    private byte[] segment = NOTHING;
    private int next;
    private int position;
    private int end;
    private long before;
    private int taken;
    private byte[] gathered = NOTHING;

    /** @param isOwner whether arrays that are segments of their own become the reader's */
    PayloadInput(Payload payload, boolean isOwner) {
        this.payload = payload;
        this.segments = payload.segments();
        this.length = payload.length();
        this.isOwner = isOwner;
    }

    private PayloadInput(PayloadInput whole, long length) {
        this.payload = whole.payload;
        this.segments = whole.segments;
        this.length = length;
        this.isOwner = false;
        this.segment = whole.segment;
        this.next = whole.next;
        this.position = whole.position;
        this.before = -whole.position;
        this.end = (int) Math.min(whole.end, whole.position + length);
    }

    @Override
    public int read() {
        return position < end || advance() ? segment[position++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] target, int offset, int count) {
        if (count == 0) {
            return 0;
        }
        if (position == end && !advance()) {
            return -1;
        }
        int part = Math.min(count, end - position);
        System.arraycopy(segment, position, target, offset, part);
        pass(part);
        return part;
    }

    @Override
    public long skip(long count) {
        long skipped = Math.min(Math.max(count, 0), remaining());
        long left = skipped;
        while (left > 0 && (position < end || advance())) {
            int part = (int) Math.min(left, end - position);
            pass(part);
            left -= part;
        }
        return skipped;
    }

    @Override
    public int available() {
        return (int) Math.min(remaining(), Integer.MAX_VALUE);
    }

    public long remaining() {
        return length - before - position;
    }

    public long position() {
        return before + position;
    }

    /**
     * Returns an input that reads the next {@code count} bytes and then ends, and skips them here.
     *
     * @throws EOFException if fewer are left
     */
    public PayloadInput slice(long count) throws EOFException {
        if (count < 0 || count > remaining()) {
            throw missing(count);
        }
        PayloadInput part = new PayloadInput(this, count);
        skip(count);
        return part;
    }

    /** Returns an input that reads the remaining bytes, without skipping them here. */
    public PayloadInput copy() {
        return new PayloadInput(this, remaining());
    }

    public int readByte() throws IOException {
        int value = read();
        if (value < 0) {
            throw new EOFException("The payload of " + length + " bytes has ended.");
        }
        return value;
    }

    /** Returns the next byte without reading it; -1 at the end. */
    public int peek() {
        return position == end && !advance() ? -1 : segment[position] & 0xFF;
    }

    public int readInt() throws IOException {
        if (end - position >= Integer.BYTES) {
            int value = (int) INT.get(segment, position);
            position += Integer.BYTES;
            return value;
        }
        return readByte() << 24 | readByte() << 16 | readByte() << 8 | readByte();
    }

    public long readLong() throws IOException {
        if (end - position >= Long.BYTES) {
            long value = (long) LONG.get(segment, position);
            position += Long.BYTES;
            return value;
        }
        return ((long) readInt() << 32) | (readInt() & 0xFFFF_FFFFL);
    }

    public long readVarLong() throws IOException {
        if (position < end && segment[position] >= 0) {
            return segment[position++];
        }
        long value = 0;
        for (int shift = 0; shift < 63; shift += 7) {
            int group = readByte();
            value |= (long) (group & 0x7F) << shift;
            if ((group & 0x80) == 0) {
                return value;
            }
        }
        int last = readByte();
        if (last > 1) {
            throw new IOException("A number of more than 64 bits at byte " + position() + ".");
        }
        return value | (long) last << 63;
    }

    /** Reads what {@link PayloadOutput#writeArray} wrote. */
    public byte[] readArray(int count) throws IOException {
        if (isOwner && count > 0 && arrayLength() == count) {
            pass(count);
            return segment;
        }
        return readExactly(count);
    }

    public byte[] readExactly(int count) throws IOException {
        if (count < 0 || count > remaining()) {
            throw missing(count);
        }
        byte[] bytes = new byte[count];
        readExactly(bytes, 0, count);
        return bytes;
    }

    public void readExactly(byte[] target, int offset, int count) throws IOException {
        if (count < 0 || count > remaining()) {
            throw missing(count);
        }
        int done = 0;
        while (done < count) {
            done += read(target, offset + done, count - done);
        }
    }

    public String readText() throws IOException {
        long count = readVarLong();
        if (count < 0 || count > Math.min(remaining(), Integer.MAX_VALUE)) {
            throw missing(count);
        }
        return new String(readExactly((int) count), StandardCharsets.UTF_8);
    }

    public Map<String, String> readTextMap() throws IOException {
        Map<String, String> texts = new LinkedHashMap<>();
        for (long left = readVarLong(); left > 0; left--) {
            texts.put(readText(), readText());
        }
        return texts;
    }

    public Optional<String> readOptionalText() throws IOException {
        return readByte() == 0 ? Optional.empty() : Optional.of(readText());
    }

    /** Returns the length of the array that begins at the next byte, if it is a segment of its own; otherwise 0. */
    int arrayLength() {
        boolean isHere = position < end || advance();
        return isHere && position == 0 && end == segment.length && end > Payload.GREATEST_SEGMENT_BYTES ? end : 0;
    }

    /** Returns how many of the next {@code count} bytes come before an array that is a segment of its own, or are in one. */
    int untilArray(int count) {
        if (position == end && !advance()) {
            return 0;
        }
        int until = end - position;
        for (int i = next;
                until < count && i < segments.size() && !isArray(segment) && !isArray(segments.get(i));
                i++) {
            until += segments.get(i).length;
        }
        return Math.min(until, count);
    }

    private static boolean isArray(byte[] segment) {
        return segment.length > Payload.GREATEST_SEGMENT_BYTES;
    }

    /**
     * Reads until {@code target} is full.
     *
     * @throws IllegalStateException if fewer bytes are left
     */
    public void readInto(ByteBuffer target) {
        while (target.hasRemaining()) {
            if (position == end && !advance()) {
                throw new IllegalStateException(
                        target.remaining() + " bytes are missing after byte " + position() + ".");
            }
            int part = Math.min(target.remaining(), end - position);
            target.put(segment, position, part);
            pass(part);
        }
    }

    /**
     * Reads {@code count} existing bytes. Returns an array that holds them from {@link #taken} on and is valid until
     * the next call. They are copied only if they are in more than one segment.
     */
    public byte[] take(int count) {
        if (position == end && count > 0) {
            advance();
        }
        if (end - position >= count) {
            taken = position;
            pass(count);
            return segment;
        }
        if (gathered.length < count) {
            gathered = new byte[count];
        }
        taken = 0;
        readInto(ByteBuffer.wrap(gathered, 0, count));
        return gathered;
    }

    /** Returns the position of the bytes in the array of the last {@link #take}. */
    public int taken() {
        return taken;
    }

    private EOFException missing(long count) {
        return new EOFException(Long.toUnsignedString(count) + " bytes were announced at byte " + position() + ", "
                + remaining() + " are left.");
    }

    private boolean advance() {
        if (remaining() == 0) {
            return false;
        }
        do {
            before += segment.length;
            position = 0;
            segment = segments.get(next++);
            end = (int) Math.min(segment.length, length - before);
        } while (end == 0);
        if (next > 1 && next == segments.size() && !isArray(segment)) {
            payload.markRead();
        }
        return true;
    }

    private void pass(int count) {
        position += count;
        if (position == end && next == segments.size() && isArray(segment)) {
            payload.markRead();
        }
    }
}
