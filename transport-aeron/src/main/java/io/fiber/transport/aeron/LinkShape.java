// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import io.fiber.spi.transport.LinkUse;

/**
 * The parameters on which both ends of a link agree.
 *
 * @param termLengthBytes the length of each of the three terms of a log
 * @param mtuBytes the largest fragment of a frame, including Aeron's header
 * @param use the purpose of the link
 */
record LinkShape(int termLengthBytes, int mtuBytes, LinkUse use) {

    LinkShape(int termLengthBytes, int mtuBytes) {
        this(termLengthBytes, mtuBytes, LinkUse.CONVERSATION);
    }

    /** A log has three terms and one page of metadata. */
    private static final int LOG_META_BYTES = 4096;

    private static final int LARGEST_MTU = 65_504;

    /** Returns the shape of a log in which as many frames as possible are sent in one piece. */
    static LinkShape unfragmented(int termLengthBytes) {
        return bounded(termLengthBytes, LARGEST_MTU);
    }

    static LinkShape bounded(int termLengthBytes, int largestMtuBytes) {
        return new LinkShape(
                termLengthBytes, Math.min(largestMtuBytes, FrameDescriptor.computeMaxMessageLength(termLengthBytes)));
    }

    LinkShape of(LinkUse other) {
        return new LinkShape(termLengthBytes, mtuBytes, other);
    }

    /**
     * Returns the maximum length of a frame. It does not depend on the MTU, so a link over UDP carries the same frames
     * as one through memory. Those of a conversation are sent in one piece in memory; a reader copies pieces together.
     */
    int maxFrameLength() {
        int longest = FrameDescriptor.computeMaxMessageLength(termLengthBytes);
        int length = use == LinkUse.DATA ? longest : Math.min(longest, LARGEST_MTU);
        return length - DataHeaderFlyweight.HEADER_LENGTH;
    }

    /** Returns the parameters for the channel of a publication. */
    String parameters() {
        return "|term-length=" + termLengthBytes + "|mtu=" + mtuBytes;
    }

    long logBytes() {
        return logBytes(termLengthBytes);
    }

    static long logBytes(int termLengthBytes) {
        return 3L * termLengthBytes + LOG_META_BYTES;
    }
}
