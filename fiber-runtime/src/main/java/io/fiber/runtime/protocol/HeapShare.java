// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * The share of the heap that payloads may take together, from when they begin to arrive at this process until they are
 * read or forgotten. A large one takes all its bytes when it is announced; small ones are not counted. One for which
 * there is no room is refused and does not wait: a link that is not read looks dead after its lease.
 * Belongs to one thread.
 */
public final class HeapShare {

    /** What is left is for the objects that are read from payloads, and for the program. */
    private static final double GREATEST_SHARE = 0.75;

    private static final long LARGE_BYTES = 1 << 20;

    private final long limitBytes;
    private final List<WeakReference<Payload>> unread = new ArrayList<>();
    private long arrivingBytes;

    HeapShare(long heapBytes) {
        limitBytes = (long) (heapBytes * GREATEST_SHARE);
    }

    public static HeapShare ofHeap() {
        return new HeapShare(Runtime.getRuntime().maxMemory());
    }

    /** Takes what a payload needs, if it is there. */
    boolean take(long bytes) {
        if (bytes > limitBytes - (bytes < LARGE_BYTES ? 0 : takenBytes())) {
            return false;
        }
        arrivingBytes += bytes < LARGE_BYTES ? 0 : bytes;
        return true;
    }

    /** Returns how many bytes others had taken when one of this length was refused; 0 when it does not fit alone. */
    long besideBytes(long bytes) {
        return bytes > limitBytes ? 0 : takenBytes();
    }

    /** A payload of this length will not arrive. */
    void giveBack(long bytes) {
        arrivingBytes -= bytes < LARGE_BYTES ? 0 : bytes;
    }

    /** A payload has arrived. */
    void hold(Payload payload) {
        giveBack(payload.length());
        if (payload.length() >= LARGE_BYTES) {
            unread.add(new WeakReference<>(payload));
        }
    }

    /** Returns how many bytes large payloads have taken. */
    long takenBytes() {
        long bytes = arrivingBytes;
        for (int i = unread.size() - 1; i >= 0; i--) {
            Payload payload = unread.get(i).get();
            if (payload == null || payload.isRead()) {
                unread.remove(i);
            } else {
                bytes += payload.length();
            }
        }
        return bytes;
    }
}
