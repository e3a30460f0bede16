// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.wire;

import java.util.List;

/**
 * Bytes that travel through the house unread: a list of segments, so that 2 GiB never need one array. Immutable by
 * agreement: whoever makes one gives the segments away. Thread-safe once published.
 */
public final class Payload {

    /** The greatest length of a payload: 2 GiB. */
    public static final long LIMIT_BYTES = 2L << 30;

    /**
     * The greatest segment that is made here: less than half of the smallest region of G1, so that the collector can move
     * it. Larger arrays stay where they are, and with many of them there is no room left for a large one between.
     */
    public static final int GREATEST_SEGMENT_BYTES = 1 << 18;

    private static final Payload EMPTY = new Payload(List.of(), 0);

    private final List<byte[]> segments;
    private final long length;

    private Payload(List<byte[]> segments, long length) {
        this.segments = segments;
        this.length = length;
    }

    /** Returns a payload of one segment, which now belongs to it. */
    public static Payload of(byte[] bytes) {
        return bytes.length == 0 ? EMPTY : new Payload(List.of(bytes), bytes.length);
    }

    /** Returns a payload of these segments, all of them full; they now belong to it. */
    public static Payload of(List<byte[]> segments) {
        long length = 0;
        for (byte[] segment : segments) {
            length += segment.length;
        }
        return length == 0 ? EMPTY : new Payload(List.copyOf(segments), length);
    }

    /** Returns the payload of no bytes. */
    public static Payload empty() {
        return EMPTY;
    }

    /** Returns the number of bytes. */
    public long length() {
        return length;
    }

    /** Returns the segments; the arrays must not be changed. */
    public List<byte[]> segments() {
        return segments;
    }

    /** Returns the bytes as one array, which may be the payload's own and must not be changed; for small ones. */
    public byte[] toArray() {
        if (segments.size() == 1) {
            return segments.get(0);
        }
        byte[] all = new byte[Math.toIntExact(length)];
        int position = 0;
        for (byte[] segment : segments) {
            System.arraycopy(segment, 0, all, position, segment.length);
            position += segment.length;
        }
        return all;
    }

    /** Returns a stream over the bytes. */
    public PayloadInput open() {
        return new PayloadInput(this);
    }

    @Override
    public String toString() {
        return "Payload[" + length + " bytes in " + segments.size() + " segments]";
    }
}
