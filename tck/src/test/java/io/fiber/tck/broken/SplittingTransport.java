// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.broken;

import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.OfferResult;
import io.fiber.spi.transport.Transport;
import java.nio.ByteBuffer;

/** Cannot carry frames of one length, which few frames have. */
final class SplittingTransport extends PassingTransport {

    private static final int BUFFER_BYTES = 4_096;
    private static final int HEADER_BYTES = 12;

    private final TransportBug bug;

    SplittingTransport(TransportBug bug, Transport real) {
        super(real);
        this.bug = bug;
    }

    @Override
    Link passed(Link link, LinkUse use) {
        return new SplittingLink(link, use);
    }

    private final class SplittingLink extends PassingLink {
        private final LinkUse use;

        SplittingLink(Link real, LinkUse use) {
            super(real);
            this.use = use;
        }

        /** Clauses about all frames meet such frames of conversations by chance. */
        @Override
        public OfferResult offer(ByteBuffer frame) {
            int length = frame.remaining();
            if (use == LinkUse.DATA && bug == TransportBug.PAGE_IS_SPLIT && length == BUFFER_BYTES) {
                OfferResult result = super.offer(frame.slice(frame.position(), length / 2));
                return result == OfferResult.ACCEPTED
                        ? super.offer(frame.slice(frame.position() + length / 2, length / 2))
                        : result;
            }
            if (use == LinkUse.DATA
                    && bug == TransportBug.PAGE_WITH_ITS_HEADER_IS_CUT
                    && length == BUFFER_BYTES - HEADER_BYTES) {
                return super.offer(frame.slice(frame.position(), length - 1));
            }
            return super.offer(frame);
        }
    }
}
