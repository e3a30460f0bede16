// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.secure;

import io.fiber.runtime.wire.Payload;
import java.util.List;

/** Walks over the segments of a payload in steps that need not be theirs. Not thread-safe. */
final class SegmentWalk {

    private final List<byte[]> segments;
    private int index;
    private int offset;

    SegmentWalk(Payload payload) {
        this.segments = payload.segments();
    }

    /** Goes to the next segment when the current one is used up; called before the three below. */
    void settle() {
        while (index < segments.size() && offset == segments.get(index).length) {
            index++;
            offset = 0;
        }
    }

    byte[] segment() {
        return segments.get(index);
    }

    int offset() {
        return offset;
    }

    int left() {
        return index == segments.size() ? 0 : segments.get(index).length - offset;
    }

    void advance(int bytes) {
        offset += bytes;
    }

    /** Copies the next bytes, which must be there. */
    void copyTo(byte[] target, int bytes) {
        int done = 0;
        while (done < bytes) {
            settle();
            int step = Math.min(left(), bytes - done);
            System.arraycopy(segment(), offset, target, done, step);
            advance(step);
            done += step;
        }
    }
}
