// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import io.fiber.SerializationException;
import java.util.List;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that are passed on unread: a list of segments, so that 2 GiB never need one array. Immutable by agreement: its
 * creator no longer writes to its segments. Thread-safe once published.
 */
public final class Payload {

    public static final long LIMIT_BYTES = 2L << 30;

    /**
     * The maximum length of a segment created here: less than half of the smallest region of G1, so that the collector
     * can move it. Larger arrays stay where they are, and many of them leave no room for a large one in between.
     */
    public static final int GREATEST_SEGMENT_BYTES = 1 << 18;

    private static final Payload EMPTY = new Payload(List.of(), 0, null);

    private final List<byte[]> segments;
    private final long length;
    /** Set if the bytes arrived but were not kept, because the heap had no room for them. */
    private final @Nullable Refusal refusal;

    private volatile boolean read;

    private record Refusal(long bytes, String beside) {}

    private Payload(List<byte[]> segments, long length, @Nullable Refusal refusal) {
        this.segments = segments;
        this.length = length;
        this.refusal = refusal;
    }

    /** Returns a placeholder for a payload of this length that arrived and did not fit into the heap. */
    public static Payload refused(long bytes) {
        return new Payload(List.of(), 0, new Refusal(bytes, ""));
    }

    /** Returns a placeholder for a payload that did not fit beside {@code besideBytes} of others. */
    static Payload refused(long bytes, long besideBytes) {
        String beside = ", and " + besideBytes + " bytes of other messages there have not been read yet";
        return besideBytes == 0 ? refused(bytes) : new Payload(List.of(), 0, new Refusal(bytes, beside));
    }

    /**
     * Returns this payload if it was kept.
     *
     * @throws SerializationException FBR-208 if the heap of this process had no room for it
     */
    public Payload requireKept() {
        if (refusal != null) {
            String heap = " (" + Runtime.getRuntime().maxMemory() + " bytes at most)" + refusal.beside;
            String advice = refusal.beside.isEmpty() ? "" : " Or let fewer messages arrive at the same time.";
            throw new SerializationException("FBR-208", refusal(refusal.bytes, "", heap) + advice);
        }
        return this;
    }

    /** Returns the error text for a message of this length for which another process had no room. */
    public static String refusedElsewhere(long bytes, String process) {
        return refusal(bytes, ", " + process, "");
    }

    private static String refusal(long bytes, String process, String heap) {
        return "A message of " + bytes + " bytes does not fit into the heap of the process that received it" + process
                + heap
                + ". The process dropped the message and continues. Give the process more memory (your program: -Xmx;"
                + " a worker: memory(...) of its pool or process, or -Xmx in worker.jvm-options), or send less: the"
                + " path of a file, or one part for each task.";
    }

    /** Returns a payload with one segment, which now belongs to it. */
    public static Payload of(byte[] bytes) {
        return bytes.length == 0 ? EMPTY : new Payload(List.of(bytes), bytes.length, null);
    }

    /** Returns a payload with a copy of a buffer's bytes, or a placeholder if the heap has no room for a copy. */
    public static Payload copyOf(DirectBuffer source, int offset, int length) {
        byte[] bytes;
        try {
            bytes = new byte[length];
        } catch (OutOfMemoryError e) {
            return refused(length);
        }
        source.getBytes(offset, bytes);
        return of(bytes);
    }

    public static Payload ofText(String text) {
        PayloadOutput out = new PayloadOutput();
        out.writeText(text);
        return out.toPayload();
    }

    /** Returns a payload of these segments, all of them full, which now belong to it. */
    public static Payload of(List<byte[]> segments) {
        long length = 0;
        for (byte[] segment : segments) {
            length += segment.length;
        }
        return length == 0 ? EMPTY : new Payload(List.copyOf(segments), length, null);
    }

    public static Payload empty() {
        return EMPTY;
    }

    /** Returns how many bytes arrived but were not kept, because the heap had no room for them; otherwise 0. */
    public long refusedBytes() {
        return refusal == null ? 0 : refusal.bytes;
    }

    /** Records that a reader has reached its last bytes. */
    public void markRead() {
        read = true;
    }

    /** Returns whether a reader has reached its last bytes. */
    boolean isRead() {
        return read;
    }

    /** Returns whether nothing was sent: no bytes that were kept, and none that were not. */
    boolean isNothing() {
        return length == 0 && refusal == null;
    }

    public long length() {
        return length;
    }

    /** Returns the segments. The arrays must not be changed. */
    public List<byte[]> segments() {
        return segments;
    }

    /** Returns the bytes as one array, which may be the payload's own and must not be changed; for small payloads. */
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

    /**
     * Returns a stream over the bytes.
     *
     * @throws SerializationException FBR-208 if the heap of this process had no room for them
     */
    public PayloadInput open() {
        requireKept();
        return new PayloadInput(this, false);
    }

    /**
     * Returns a stream over the bytes of a payload that has arrived for this reader alone: arrays that are segments of their
     * own become the reader's, instead of copies.
     *
     * @throws SerializationException FBR-208 if the heap of this process had no room for them
     */
    public PayloadInput openForOwner() {
        requireKept();
        return new PayloadInput(this, true);
    }

    @Override
    public String toString() {
        return "Payload[" + length + " bytes in " + segments.size() + " segments]";
    }
}
