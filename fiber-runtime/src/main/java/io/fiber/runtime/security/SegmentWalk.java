// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import io.fiber.runtime.protocol.Payload;
import java.util.List;

/** Walks over a payload in steps that need not be its segments. Not thread-safe. */
final class SegmentWalk {

    private final List<byte[]> segments;
    private int index;
    private int position;
    private byte[] gathered = new byte[0];
    private int offset;

    SegmentWalk(Payload payload) {
        this.segments = payload.segments();
    }

    /**
     * Returns an array with the next {@code bytes} bytes, which must be there, from {@link #offset} on. Valid until the
     * next call; copied only when they lie in more than one segment.
     */
    byte[] next(int bytes) {
        settle();
        if (left() >= bytes) {
            offset = position;
            position += bytes;
            return bytes == 0 ? gathered : segments.get(index);
        }
        if (gathered.length < bytes) {
            gathered = new byte[bytes];
        }
        offset = 0;
        for (int done = 0; done < bytes; settle()) {
            int step = Math.min(left(), bytes - done);
            System.arraycopy(segments.get(index), position, gathered, done, step);
            position += step;
            done += step;
        }
        return gathered;
    }

    /** Returns where in the array that was returned the bytes begin. */
    int offset() {
        return offset;
    }

    private void settle() {
        while (index < segments.size() && position == segments.get(index).length) {
            index++;
            position = 0;
        }
    }

    private int left() {
        return index == segments.size() ? 0 : segments.get(index).length - position;
    }
}
