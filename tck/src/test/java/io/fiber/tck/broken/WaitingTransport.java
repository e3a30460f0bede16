// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.broken;

import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.FrameHandler;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.OfferResult;
import io.fiber.spi.transport.Transport;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits in one of its methods. */
final class WaitingTransport extends PassingTransport {

    private static final Duration OF_A_NAME_SERVER = Duration.ofMillis(400);
    private static final Duration OF_A_FULL_BUFFER = Duration.ofMillis(30);
    private static final Duration OF_A_SELECTOR = Duration.ofMillis(8);

    private final TransportBug bug;
    private boolean isFull;

    WaitingTransport(TransportBug bug, Transport real) {
        super(real);
        this.bug = bug;
    }

    private void pause(TransportBug where, Duration time) {
        long endNs = System.nanoTime() + time.toNanos();
        while (bug == where && System.nanoTime() - endNs < 0) {
            LockSupport.parkNanos(endNs - System.nanoTime());
        }
    }

    @Override
    Link passed(Link link, LinkUse use) {
        return new WaitingLink(link);
    }

    @Override
    public Link invite(LinkUse use) {
        pause(TransportBug.INVITE_WAITS, OF_A_NAME_SERVER);
        return super.invite(use);
    }

    @Override
    public Link dial(Address address) {
        pause(TransportBug.DIAL_WAITS, OF_A_NAME_SERVER);
        return super.dial(address);
    }

    @Override
    public int doWork() {
        if (isFull) {
            pause(TransportBug.WORK_WAITS, OF_A_FULL_BUFFER);
        }
        return super.doWork();
    }

    private final class WaitingLink extends PassingLink {

        WaitingLink(Link real) {
            super(real);
        }

        @Override
        public OfferResult offer(ByteBuffer frame) {
            OfferResult result = super.offer(frame);
            isFull = result == OfferResult.BACK_PRESSURED;
            if (isFull) {
                pause(TransportBug.OFFER_WAITS_FOR_ROOM, OF_A_FULL_BUFFER);
            }
            return result;
        }

        @Override
        public int poll(FrameHandler handler, int frameLimit) {
            int frames = super.poll(handler, frameLimit);
            if (frames == 0) {
                pause(TransportBug.POLL_WAITS, OF_A_SELECTOR);
            }
            return frames;
        }

        @Override
        public void close() {
            pause(TransportBug.CLOSE_OF_LINK_WAITS, OF_A_FULL_BUFFER);
            super.close();
        }
    }
}
