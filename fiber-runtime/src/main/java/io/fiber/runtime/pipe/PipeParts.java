// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pipe;

import io.fiber.EndOfStreamException;
import io.fiber.FiberException;
import io.fiber.WaitInterruptedException;
import io.fiber.runtime.channel.DirectLink;
import io.fiber.spi.transport.OfferResult;

/**
 * An end of a pipe whose user cuts what it sends into parts, and makes what it likes of the parts that arrive, without a
 * message in between. No other part of the program may use the end. Belongs to one thread at a time; the conductor, which
 * looks after every end when it is linked and when it is closed, is kept away by the locks of the end's two sides.
 */
public final class PipeParts {

    private static final String WHAT = "the other end";

    private final Endpoint endpoint;

    PipeParts(Endpoint endpoint) {
        this.endpoint = endpoint;
        endpoint.receiver.giveParts();
    }

    /**
     * Begins to look for the other end; does not wait.
     *
     * @throws FiberException FBR-452 to FBR-455 when the end cannot be used
     */
    public void join() {
        endpoint.requireUsable();
        endpoint.join();
    }

    /**
     * Waits until the two ends are linked. Conducts meanwhile.
     *
     * @throws EndOfStreamException FBR-450 when the other end is gone
     * @throws FiberException FBR-452 to FBR-455 when the end cannot be used
     * @throws WaitInterruptedException when the thread is interrupted
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

    /** Returns how many bytes a part holds at most, once the ends are linked. */
    public int room() {
        return linked().room();
    }

    /** Offers the part that waits, if one does; accepted when none does. */
    public OfferResult offer() {
        return endpoint.sender.offerPart(linked());
    }

    /**
     * Puts a part and offers it; everything that was put before must have left.
     *
     * @param remaining bytes of what is sent from this part on
     * @param length bytes of this part, at most {@link #room}
     * @throws FiberException FBR-453 when the end was closed meanwhile
     */
    public OfferResult put(long remaining, int length, DirectLink.Content content) {
        return endpoint.sender.putPart(linked(), remaining, length, content);
    }

    /** Hands over the next part if one has arrived, once the ends are linked; returns whether one had. */
    public boolean poll(DirectLink.Handler handler) {
        return endpoint.receiver.pollPart(linked(), handler);
    }

    /**
     * Is asked when nothing can be sent.
     *
     * @throws EndOfStreamException FBR-451 when nothing ever can, because the other end is gone
     */
    public void requireReceiver() {
        endpoint.sender.requireReceiver();
    }

    /**
     * Is asked when nothing has arrived. What arrives at the last moment is handed over.
     *
     * @throws EndOfStreamException FBR-450 when nothing ever will, because the other end is gone
     * @throws FiberException FBR-454 when what arrived was not what the other end sealed
     */
    public void requireSender(DirectLink.Handler handler) {
        endpoint.requireUsable();
        if (endpoint.receiver.hasPartsEnded(linked(), handler)) {
            throw endpoint.endOfReceiving();
        }
    }

    /** Returns an exception for a thread that was interrupted, and sets its flag. */
    public WaitInterruptedException interrupted() {
        return endpoint.interrupted(WHAT, new InterruptedException());
    }
}
