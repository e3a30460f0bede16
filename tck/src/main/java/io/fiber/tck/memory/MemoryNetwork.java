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
 * Connects the transports that its {@link #provider} creates, and injects faults: delays, cuts, broken connections. Two
 * networks are independent. Never blocks. Thread-safe.
 */
public final class MemoryNetwork {

    private final LongSupplier nanoClock;
    private final Map<String, Channel> invitations = new ConcurrentHashMap<>();
    private final List<Channel> channels = new CopyOnWriteArrayList<>();
    private volatile long delayNs;
    private volatile boolean cut;

    /** Creates a network without faults that uses the system's clock. */
    public MemoryNetwork() {
        this(System::nanoTime);
    }

    /** Creates a network without faults; {@code nanoClock} returns the time in nanoseconds. */
    public MemoryNetwork(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** Returns the provider of this network's transports. */
    public TransportProvider provider() {
        return new MemoryTransportProvider(this);
    }

    /** Delays every frame offered from now on by {@code delay}; zero by default. */
    public void delayFrames(Duration delay) {
        delayNs = delay.toNanos();
    }

    /** Interrupts all links, including later ones: nothing is accepted or delivered until {@link #healAll}. */
    public void cutAll() {
        cut = true;
        channels.forEach(Channel::cut);
    }

    /** Ends all interruptions; frames in transit arrive. */
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

    /** Breaks the link of this address for good, like the loss of a peer; both ends find themselves closed. */
    public void sever(Address address, String reason) {
        find(address).ifPresent(channel -> channel.close(reason, nowNs()));
    }

    /** Breaks all existing links, as {@link #sever} does; frames in transit are lost. */
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

    /** Returns the channel of the invitation, which can be used only once; empty if there is none. */
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
