// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.transport;

import java.nio.ByteBuffer;

/**
 * One end of a connection to one peer, carrying frames in both directions, in order, without loss and without duplicate,
 * until it is closed.
 *
 * <p>One thread at a time offers and one polls; they may be two, at the same moment, and need not be the thread which drives
 * the transport, as long as the transport is driven meanwhile (TRN-210). What tells about the link, and {@link #close}, any
 * thread may call. No method blocks.
 */
public interface Link extends AutoCloseable {

    /** Returns what the peer dials, or has been dialled. */
    Address address();

    /** Returns where the link stands. */
    LinkState state();

    /** Returns why the link is closed, in words for a person; empty while it is not. */
    String closeReason();

    /**
     * Tells whether only this user on this host can read what is sent or put anything in: shared memory that was proven to
     * be the same, or a socket file by which the kernel says that both processes are this user's. Only then may frames
     * travel unsealed; and what was accepted stays readable for the peer when this process has ended.
     *
     * @implSpec Constant for the life of the link. When in doubt, false. (TRN-401, TRN-402)
     */
    boolean isConfined();

    /** Returns the greatest length of a frame in bytes, constant for the life of the link; at least 1024. */
    int maxFrameLength();

    /**
     * Offers a frame: the bytes between position and limit of {@code frame}. The buffer is not changed and not kept;
     * when the result is {@link OfferResult#ACCEPTED} its content has been copied.
     *
     * @param frame a direct buffer, 1 to {@link #maxFrameLength} bytes
     * @throws IllegalArgumentException when the frame is empty or too long
     */
    OfferResult offer(ByteBuffer frame);

    /**
     * Hands at most {@code frameLimit} frames that have arrived to {@code handler}, in order. The handler may offer to this
     * link, and close it; of the frames of this call more may follow then. (TRN-206, TRN-211)
     *
     * @return how many were handed over; 0 when none had arrived
     */
    int poll(FrameHandler handler, int frameLimit);

    /**
     * Closes this end, both directions at once; the peer finds its own end closed soon after. What was accepted here still
     * goes to the peer, as long as the transport is driven and not closed: over a link for {@link LinkUse#DATA} all that the
     * peer is willing to read, else what it reads within a second. What came and was not polled is dropped. A second call does
     * nothing. (TRN-304, TRN-308)
     */
    @Override
    void close();
}
