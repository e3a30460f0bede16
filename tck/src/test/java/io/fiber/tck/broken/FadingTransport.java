// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.broken;

import io.fiber.spi.transport.FrameHandler;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.OfferResult;
import io.fiber.spi.transport.Transport;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Closes links, or invitations, that are not used for a while. */
final class FadingTransport extends PassingTransport {

    private static final long LEASE_NS = Duration.ofMillis(2_500).toNanos();

    private final TransportBug bug;
    private final List<FadingLink> links = new ArrayList<>();

    FadingTransport(TransportBug bug, Transport real) {
        super(real);
        this.bug = bug;
    }

    @Override
    Link passed(Link link, LinkUse use) {
        FadingLink fading = new FadingLink(link, use);
        links.add(fading);
        return fading;
    }

    @Override
    public int doWork() {
        for (int i = 0; i < links.size(); i++) {
            links.get(i).closeIfIdle();
        }
        return super.doWork();
    }

    private final class FadingLink extends PassingLink {
        private final LinkUse use;
        private long usedNs = System.nanoTime();

        FadingLink(Link real, LinkUse use) {
            super(real);
            this.use = use;
        }

        private void closeIfIdle() {
            LinkState fading =
                    bug == TransportBug.UNUSED_INVITATION_EXPIRES ? LinkState.CONNECTING : LinkState.CONNECTED;
            boolean isIdle = use == LinkUse.CONVERSATION && System.nanoTime() - usedNs > LEASE_NS;
            if (isIdle && state() == fading) {
                close();
            }
        }

        @Override
        public OfferResult offer(ByteBuffer frame) {
            usedNs = System.nanoTime();
            return super.offer(frame);
        }

        @Override
        public int poll(FrameHandler handler, int frameLimit) {
            int frames = super.poll(handler, frameLimit);
            usedNs = frames > 0 ? System.nanoTime() : usedNs;
            return frames;
        }
    }
}
