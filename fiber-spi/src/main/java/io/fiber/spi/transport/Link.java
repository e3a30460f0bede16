// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.transport;

import java.nio.ByteBuffer;

/**
 * One end of a connection to one peer. Until it is closed it carries frames in both directions, in order and without
 * loss or duplicates.
 *
 * <p>No method blocks. One thread at a time may offer and one may poll. These may be two threads at the same time, and
 * need not be the thread that drives the transport, as long as the transport is driven meanwhile (TRN-210). Methods
 * that only return something about the link, and {@link #close}, are thread-safe.
 */
public interface Link extends AutoCloseable {

    /** Returns the address that the peer dials, or that was dialled. */
    Address address();

    /** Returns the state of the link. */
    LinkState state();

    /** Returns why the link is closed, for people to read; empty while it is open. */
    String closeReason();

    /**
     * Returns whether only this user on this host can read what is sent or add to it. This is true for shared memory
     * that was verified to be the same, and for a socket file if the kernel confirms that both processes belong to this
     * user. Only then may frames be sent unsealed. The peer can read accepted frames even after this process has ended.
     *
     * @implSpec Constant for the life of the link. If in doubt, false. (TRN-401, TRN-402)
     */
    boolean isConfined();

    /**
     * Returns the maximum length of a frame in bytes. It is constant for the life of the link, the same at both ends, and at
     * least 1024. (TRN-208)
     */
    int maxFrameLength();

    /**
     * Offers a frame: the bytes between position and limit of {@code frame}. The buffer is neither changed nor kept; if
     * the result is {@link OfferResult#ACCEPTED}, its content has been copied.
     *
     * @param frame a direct buffer with 1 to {@link #maxFrameLength} bytes
     * @throws IllegalArgumentException if the frame is empty or too long
     */
    OfferResult offer(ByteBuffer frame);

    /**
     * Passes up to {@code frameLimit} frames that have arrived to {@code handler}, in order. The handler may offer to
     * this link and close it; more frames of the same call may follow then. (TRN-206, TRN-211)
     *
     * @return how many frames were passed on; 0 if none had arrived
     */
    int poll(FrameHandler handler, int frameLimit);

    /**
     * Stops signalling the frames of a {@linkplain LinkUse#DATA link for data} to the selector of {@link
     * Transport#registerWith}, because a thread reads them that does not wait there. Unread frames would keep the
     * selector ready. Thread-safe; has no effect on a {@linkplain LinkUse#CONVERSATION conversation}.
     *
     * @implSpec Does nothing by default, for links that signal nothing. (TRN-705)
     */
    default void unwatch() {}

    /**
     * Closes this end in both directions; the peer soon finds its own end closed. Frames that were accepted here still
     * reach the peer while the transport is driven and not closed. Over a link for {@link LinkUse#DATA} these are all
     * frames that the peer is willing to read; otherwise those that it reads within a second. Frames that have arrived
     * and were not polled are dropped. Idempotent. (TRN-304, TRN-308)
     */
    @Override
    void close();
}
