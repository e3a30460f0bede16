// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

/** Thrown if more is written than a payload may hold, or than the heap has room for. */
public final class PayloadLimitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What sets the limit. */
    public enum Bound {
        PAYLOAD,
        HEAP
    }

    private final long limitBytes;
    private final Bound bound;
    private final long heapBytes;

    PayloadLimitException(long limitBytes) {
        this("More than " + limitBytes + " bytes.", limitBytes, Bound.PAYLOAD, 0);
    }

    private PayloadLimitException(String message, long limitBytes, Bound bound, long heapBytes) {
        super(message);
        this.limitBytes = limitBytes;
        this.bound = bound;
        this.heapBytes = heapBytes;
    }

    /** Returns an exception for an output that had this length when the heap was almost full. */
    static PayloadLimitException ofHeap(long lengthBytes, long heapBytes) {
        String message = "The heap of " + heapBytes + " bytes is almost full after " + lengthBytes + " bytes.";
        return new PayloadLimitException(message, lengthBytes, Bound.HEAP, heapBytes);
    }

    /** Returns an exception for an output that had this length when an allocation failed. */
    public static PayloadLimitException ofHeap(long lengthBytes, OutOfMemoryError full) {
        PayloadLimitException limit = ofHeap(lengthBytes, Runtime.getRuntime().maxMemory());
        limit.initCause(full);
        return limit;
    }

    /** Returns the maximum number of bytes, or their number when the heap was almost full. */
    public long limitBytes() {
        return limitBytes;
    }

    public Bound bound() {
        return bound;
    }

    /** Returns the maximum heap size, if that is the bound. */
    public long heapBytes() {
        return heapBytes;
    }
}
