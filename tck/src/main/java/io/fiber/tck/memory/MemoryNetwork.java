// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.memory;

import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.TransportProvider;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/**
 * Joins the transports that its {@link #provider} makes, and switches faults on: delays, cuts, connections that break.
 * Two networks know nothing of each other. Thread-safe; never blocks.
 */
public final class MemoryNetwork {

    private final LongSupplier nanoClock;
    private final Map<String, Channel> invitations = new ConcurrentHashMap<>();
    private final List<Channel> channels = new CopyOnWriteArrayList<>();
    private volatile long delayNs;
    private volatile boolean cut;

    /** Creates a network without faults that reads the system's clock. */
    public MemoryNetwork() {
        this(System::nanoTime);
    }

    /** Creates a network without faults; {@code nanoClock} says how late it is, in nanoseconds. */
    public MemoryNetwork(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** Returns the provider of this network's transports. */
    public TransportProvider provider() {
        return new MemoryTransportProvider(this);
    }

    /** Makes every frame offered from now on arrive {@code delay} later; zero, the default, at once. */
    public void delayFrames(Duration delay) {
        delayNs = delay.toNanos();
    }

    /** Interrupts all links, those of later too: nothing is accepted or delivered until {@link #healAll}. */
    public void cutAll() {
        cut = true;
        channels.forEach(Channel::cut);
    }

    /** Ends all interruptions; what was on its way arrives. */
    public void healAll() {
        cut = false;
        channels.forEach(Channel::heal);
    }

    /** Interrupts the link of this address; both ends stay connected. */
    public void cut(Address address) {
        find(address).ifPresent(Channel::cut);
    }

    /** Ends the interruption of the link of this address. */
    public void heal(Address address) {
        find(address).ifPresent(Channel::heal);
    }

    /** Breaks the link of this address for good, as the loss of a peer does; both ends find themselves closed. */
    public void sever(Address address, String reason) {
        find(address).ifPresent(channel -> channel.close(reason, nowNs()));
    }

    /** Breaks all links that there are, as {@link #sever} does; what was on its way is lost. */
    public void severAll(String reason) {
        channels.forEach(channel -> channel.close(reason, nowNs()));
    }

    private Optional<Channel> find(Address address) {
        return channels.stream()
                .filter(channel -> channel.address().equals(address))
                .findFirst();
    }

    long nowNs() {
        return nanoClock.getAsLong();
    }

    long dueNs() {
        return nowNs() + delayNs;
    }

    Channel invite(Address address) {
        Channel channel = new Channel(address);
        if (cut) {
            channel.cut();
        }
        channels.add(channel);
        invitations.put(address.text(), channel);
        return channel;
    }

    /** Returns the channel of the invitation, which is used up by that; empty when there is none. */
    Optional<Channel> accept(Address address) {
        Optional<Channel> channel = Optional.ofNullable(invitations.remove(address.text()));
        channel.ifPresent(Channel::join);
        return channel;
    }

    void forget(Address address) {
        invitations.remove(address.text());
        channels.removeIf(channel -> channel.address().equals(address) && channel.isClosed());
    }
}
