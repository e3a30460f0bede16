// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pipe;

import io.fiber.EndOfStreamException;
import io.fiber.FiberException;
import io.fiber.WaitInterruptedException;
import io.fiber.runtime.channel.DirectLink;
import io.fiber.spi.transport.OfferResult;

/**
 * An end of a pipe whose user splits what it sends into parts, and handles arriving parts itself, without messages. No
 * other part of the program may use the end. Only one thread at a time may use it. The conductor, which serves every
 * end when it is linked and when it is closed, is excluded by the locks of the end's two sides.
 */
public final class RawPipeEnd {

    private static final String WHAT = "the other end";

    private final Endpoint endpoint;

    RawPipeEnd(Endpoint endpoint) {
        this.endpoint = endpoint;
        endpoint.receiver.leaveParts();
    }

    /**
     * Starts looking for the other end; does not wait.
     *
     * @throws FiberException FBR-452 to FBR-455 if the end cannot be used
     */
    public void join() {
        endpoint.requireUsable();
        endpoint.join();
    }

    /**
     * Waits until the two ends are linked.
     *
     * @throws EndOfStreamException FBR-450 if the other end is gone
     * @throws FiberException FBR-452 to FBR-455 if the end cannot be used
     * @throws WaitInterruptedException if the thread is interrupted
     */
    public void awaitLinked() {
        while (endpoint.link() == null) {
            join();
            if (endpoint.stage() == Endpoint.Stage.OVER) {
                endpoint.requireUsable();
                throw endpoint.endOfReceiving();
            }
            endpoint.awaitJoined(Endpoint.FOR_EVER, WHAT);
        }
    }

    public boolean isLinked() {
        return endpoint.link() != null;
    }

    private DirectLink linked() {
        DirectLink current = endpoint.link();
        if (current == null) {
            throw new IllegalStateException("The ends are not linked.");
        }
        return current;
    }

    /** Returns the maximum number of bytes of a part, once the ends are linked. */
    public int room() {
        return linked().room();
    }

    /** Offers the waiting part; accepted if there is none. */
    public OfferResult offer() {
        return endpoint.sender.offerPart(linked());
    }

    /**
     * Puts a part and offers it. Everything that was put before must have left.
     *
     * @param remaining bytes of what is sent from this part on
     * @param length bytes of this part, at most {@link #room}
     * @throws FiberException FBR-453 if the end was closed meanwhile
     */
    public OfferResult put(long remaining, int length, DirectLink.Content content) {
        return endpoint.sender.putPart(linked(), remaining, length, content);
    }

    /** Passes on the next part if one has arrived, once the ends are linked; returns whether one had. */
    public boolean poll(DirectLink.Handler handler) {
        return endpoint.receiver.pollPart(linked(), handler);
    }

    /**
     * Call this if nothing can be sent.
     *
     * @throws EndOfStreamException FBR-451 if nothing can be sent any more, because the other end is gone
     */
    public void requireReceiver() {
        endpoint.sender.requireReceiver();
    }

    /**
     * Call this if nothing has arrived. What arrives at the last moment is passed on.
     *
     * @throws EndOfStreamException FBR-450 if nothing will arrive any more, because the other end is gone
     * @throws FiberException FBR-454 if what arrived is not what the other end sealed
     */
    public void requireSender(DirectLink.Handler handler) {
        endpoint.requireUsable();
        if (endpoint.receiver.hasPartsEnded(linked(), handler)) {
            throw endpoint.endOfReceiving();
        }
    }

    /** Returns an exception for an interrupted thread, and sets its flag. */
    public WaitInterruptedException interrupted() {
        return endpoint.interrupted(WHAT, new InterruptedException());
    }
}
