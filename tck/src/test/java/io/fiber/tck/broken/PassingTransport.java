// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.broken;

import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.Transport;
import java.nio.channels.Selector;
import java.util.Map;
import java.util.function.Consumer;

/** Passes everything on to another transport. A bug overrides what it breaks. */
abstract class PassingTransport implements Transport {

    private final Transport real;

    PassingTransport(Transport real) {
        this.real = real;
    }

    /** Returns what the kit receives for a link that was invited or dialled. */
    Link passed(Link link, LinkUse use) {
        return link;
    }

    @Override
    public Link invite(LinkUse use) {
        return passed(real.invite(use), use);
    }

    @Override
    public Link dial(Address address) {
        return passed(real.dial(address), address.text().endsWith(":data") ? LinkUse.DATA : LinkUse.CONVERSATION);
    }

    @Override
    public int listen(int port, Consumer<Link> newcomers) {
        return real.listen(port, newcomers);
    }

    @Override
    public boolean registerWith(Selector selector) {
        return real.registerWith(selector);
    }

    @Override
    public int doWork() {
        return real.doWork();
    }

    @Override
    public Map<String, Long> counters() {
        return real.counters();
    }

    @Override
    public void close() {
        real.close();
    }
}
