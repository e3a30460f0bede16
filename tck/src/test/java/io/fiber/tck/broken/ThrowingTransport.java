// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.broken;

import io.fiber.spi.transport.FrameHandler;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.OfferResult;
import io.fiber.spi.transport.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Throws what it should have handled. */
final class ThrowingTransport extends PassingTransport {

    private static final int RARELY = 2_500;

    private final TransportBug bug;
    private final List<ThrowingLink> links = new ArrayList<>();

    ThrowingTransport(TransportBug bug, Transport real) {
        super(real);
        this.bug = bug;
    }

    @Override
    Link passed(Link link, LinkUse use) {
        ThrowingLink thrower = new ThrowingLink(link);
        links.add(thrower);
        return thrower;
    }

    @Override
    public int doWork() {
        int work = super.doWork();
        if (bug == TransportBug.RESET_MAKES_WORK_THROW) {
            for (int i = links.size() - 1; i >= 0; i--) {
                if (links.get(i).state() == LinkState.CLOSED) {
                    links.remove(i).throwIfReset();
                }
            }
        }
        return work;
    }

    private final class ThrowingLink extends PassingLink {
        private long frames;
        private boolean isClosedHere;
        private boolean hasUnread;

        ThrowingLink(Link real) {
            super(real);
        }

        /** As sockets are, if a peer has ended that had not read everything. */
        void throwIfReset() {
            if (!isClosedHere && hasUnread) {
                throw new UncheckedIOException(new IOException("Connection reset by peer"));
            }
        }

        @Override
        public OfferResult offer(ByteBuffer frame) {
            OfferResult result = super.offer(frame);
            if (result == OfferResult.CLOSED && bug == TransportBug.OFFER_THROWS_WHEN_CLOSED) {
                throw new IllegalStateException("Broken pipe");
            }
            hasUnread = result == OfferResult.ACCEPTED;
            return result;
        }

        @Override
        public int poll(FrameHandler handler, int frameLimit) {
            int polled = super.poll(handler, frameLimit);
            boolean throwsNow = frames < RARELY && frames + polled >= RARELY;
            frames += polled;
            if (throwsNow && bug == TransportBug.POLL_THROWS_ONCE) {
                throw new IndexOutOfBoundsException("the buffer ends at 8192");
            }
            return polled;
        }

        @Override
        public void close() {
            isClosedHere = true;
            super.close();
        }
    }
}
