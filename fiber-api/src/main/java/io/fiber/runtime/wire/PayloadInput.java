// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.wire;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads a {@link Payload} from its start. Not thread-safe. */
public final class PayloadInput extends InputStream {

    private static final byte[] NOTHING = new byte[0];

    private final List<byte[]> segments;
    private final long length;
    private byte[] segment = NOTHING;
    private int next;
    private int position;
    private long before;

    PayloadInput(Payload payload) {
        this.segments = payload.segments();
        this.length = payload.length();
    }

    @Override
    public int read() {
        return position < segment.length || advance() ? segment[position++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] target, int offset, int count) {
        if (count == 0) {
            return 0;
        }
        if (position == segment.length && !advance()) {
            return -1;
        }
        int part = Math.min(count, segment.length - position);
        System.arraycopy(segment, position, target, offset, part);
        position += part;
        return part;
    }

    @Override
    public int available() {
        return (int) Math.min(remaining(), Integer.MAX_VALUE);
    }

    /** Returns how many bytes are left. */
    public long remaining() {
        return length - before - position;
    }

    /** Returns how many bytes were read. */
    public long position() {
        return before + position;
    }

    /** Reads one byte. */
    public int readByte() throws IOException {
        int value = read();
        if (value < 0) {
            throw new EOFException("The payload of " + length + " bytes has ended.");
        }
        return value;
    }

    /** Reads what {@link PayloadOutput#writeInt} wrote. */
    public int readInt() throws IOException {
        return readByte() << 24 | readByte() << 16 | readByte() << 8 | readByte();
    }

    /** Reads what {@link PayloadOutput#writeLong} wrote. */
    public long readLong() throws IOException {
        return ((long) readInt() << 32) | (readInt() & 0xFFFF_FFFFL);
    }

    /** Reads what {@link PayloadOutput#writeVarLong} wrote. */
    public long readVarLong() throws IOException {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int group = readByte();
            value |= (long) (group & 0x7F) << shift;
            if ((group & 0x80) == 0) {
                return value;
            }
        }
        throw new IOException("A number of more than 64 bits at byte " + position() + ".");
    }

    /** Reads exactly {@code count} bytes. */
    public byte[] readExactly(int count) throws IOException {
        if (count < 0 || count > remaining()) {
            throw new EOFException(count + " bytes were announced, " + remaining() + " are left.");
        }
        byte[] bytes = new byte[count];
        int done = 0;
        while (done < count) {
            done += read(bytes, done, count - done);
        }
        return bytes;
    }

    /** Reads what {@link PayloadOutput#writeText} wrote. */
    public String readText() throws IOException {
        return new String(readExactly(Math.toIntExact(readVarLong())), StandardCharsets.UTF_8);
    }

    private boolean advance() {
        before += segment.length;
        position = 0;
        segment = next < segments.size() ? segments.get(next++) : NOTHING;
        return segment.length > 0;
    }
}
