// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.transport;

import io.fiber.spi.transport.FrameHandler;
import io.fiber.tck.clause.ClauseFailure;
import java.nio.ByteBuffer;

/**
 * Receives the frames of a {@link FrameSource} and remembers the first that is not the expected one. Not thread-safe.
 */
final class FrameSink implements FrameHandler {

    private final FrameSource source;
    private long received;
    private long wrongIndex = -1;
    private int wrongLength;

    FrameSink(FrameSource source) {
        this.source = source;
    }

    @Override
    public void onFrame(ByteBuffer buffer, int offset, int length) {
        if (wrongIndex < 0 && !source.matches(buffer, offset, length, received)) {
            wrongIndex = received;
            wrongLength = length;
        }
        received++;
    }

    long received() {
        return received;
    }

    boolean isWrong() {
        return wrongIndex >= 0;
    }

    /** Reports a violation of the clause if a frame was not the expected one. */
    void failOnMismatch(String clauseId) {
        if (wrongIndex >= 0) {
            throw new ClauseFailure(
                    clauseId,
                    "frame " + wrongIndex + " was due, of " + source.length(wrongIndex) + " bytes; what arrived, of "
                            + wrongLength + " bytes, is another one or was damaged.");
        }
    }
}
