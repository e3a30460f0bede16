// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.broken;

import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.FrameHandler;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.OfferResult;
import java.nio.ByteBuffer;

/** Passes everything on to another link. A bug overrides what it breaks. */
abstract class PassingLink implements Link {

    private final Link real;

    PassingLink(Link real) {
        this.real = real;
    }

    @Override
    public Address address() {
        return real.address();
    }

    @Override
    public LinkState state() {
        return real.state();
    }

    @Override
    public String closeReason() {
        return real.closeReason();
    }

    @Override
    public boolean isConfined() {
        return real.isConfined();
    }

    @Override
    public int maxFrameLength() {
        return real.maxFrameLength();
    }

    @Override
    public OfferResult offer(ByteBuffer frame) {
        return real.offer(frame);
    }

    @Override
    public int poll(FrameHandler handler, int frameLimit) {
        return real.poll(handler, frameLimit);
    }

    @Override
    public void unwatch() {
        real.unwatch();
    }

    @Override
    public void close() {
        real.close();
    }
}
