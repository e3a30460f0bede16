// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.broken;

import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.Transport;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** Has addresses of its own, which end with random digits. */
final class AddressingTransport extends PassingTransport {

    private static final int DIGITS = 16;
    private static final String DATA = ":data";

    /** The addresses of all transports of a network. */
    static final class Book {
        /** By what counts of the address that the kit sees. */
        private final Map<String, Address> real = new ConcurrentHashMap<>();
        /** Of links that were closed before a peer came. */
        private final Queue<Address> free = new ArrayDeque<>();
    }

    private final TransportBug bug;
    private final Book book;

    AddressingTransport(TransportBug bug, Transport real, Book book) {
        super(real);
        this.bug = bug;
        this.book = book;
    }

    /** Returns what counts of an address. */
    private String key(Address shown) {
        String text = shown.text();
        return bug == TransportBug.ONLY_SOME_DIGITS_COUNT && text.length() > 2 * DIGITS && !text.endsWith(DATA)
                ? text.substring(0, text.length() - DIGITS / 2)
                : text;
    }

    @Override
    public Link invite(LinkUse use) {
        Link link = super.invite(use);
        Address again = use == LinkUse.DATA || bug != TransportBug.ADDRESSES_ARE_USED_AGAIN ? null : book.free.poll();
        Address shown = again == null ? withDigits(link.address()) : again;
        book.real.put(key(shown), link.address());
        return new AddressedLink(link, shown);
    }

    private static Address withDigits(Address real) {
        long digits = ThreadLocalRandom.current().nextLong(1_000_000_000_000_000L, 10_000_000_000_000_000L);
        boolean isForData = real.text().endsWith(DATA);
        String text = real.text().replace(DATA, "");
        return new Address(text + digits + (isForData ? DATA : ""));
    }

    @Override
    public Link dial(Address address) {
        Address real = book.real.getOrDefault(key(address), address);
        return new AddressedLink(super.dial(real), address);
    }

    private final class AddressedLink extends PassingLink {
        private final Address shown;

        AddressedLink(Link real, Address shown) {
            super(real);
            this.shown = shown;
        }

        @Override
        public Address address() {
            return shown;
        }

        @Override
        public void close() {
            if (state() == LinkState.CONNECTING && bug == TransportBug.ADDRESSES_ARE_USED_AGAIN) {
                book.free.add(shown);
            }
            super.close();
        }
    }
}
