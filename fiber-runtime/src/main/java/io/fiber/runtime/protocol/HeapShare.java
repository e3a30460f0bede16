// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * The share of the heap that payloads may take together, from their arrival at this process until they are read or
 * dropped. A large payload takes all its bytes when it is announced; small ones are not counted. A payload without room
 * is rejected and does not wait, because a link that is not read looks dead after its lease. Belongs to one thread.
 */
public final class HeapShare {

    /** The rest is for the objects that are read from payloads, and for the program. */
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

    /** Takes the memory of a payload, if it is available. */
    boolean take(long bytes) {
        if (bytes > limitBytes - (bytes < LARGE_BYTES ? 0 : takenBytes())) {
            return false;
        }
        arrivingBytes += bytes < LARGE_BYTES ? 0 : bytes;
        return true;
    }

    /**
     * Returns how many bytes others had taken when a payload of this length was rejected; 0 if it does not fit alone.
     */
    long besideBytes(long bytes) {
        return bytes > limitBytes ? 0 : takenBytes();
    }

    /** Returns the bytes of a payload that will not arrive. */
    void giveBack(long bytes) {
        arrivingBytes -= bytes < LARGE_BYTES ? 0 : bytes;
    }

    /** Records that a payload has arrived. */
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
