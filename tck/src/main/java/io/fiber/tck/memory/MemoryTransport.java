// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.memory;

import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.Transport;
import io.fiber.spi.transport.TransportContext;
import io.fiber.spi.transport.TransportException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A transport to peers in this JVM. Like every transport, it is not thread-safe; it starts no thread of its own. */
public final class MemoryTransport implements Transport {

    private final MemoryNetwork network;
    private final TransportContext context;
    private final MemoryCounters counters = new MemoryCounters();
    private final List<MemoryLink> invited = new ArrayList<>();
    private final List<MemoryLink> dialled = new ArrayList<>();
    private long invitations;
    private boolean closed;

    MemoryTransport(MemoryNetwork network, TransportContext context) {
        this.network = network;
        this.context = context;
    }

    @Override
    public Link invite(LinkUse use) {
        checkOpen("invite");
        invited.removeIf(this::isOver);
        if (invited.size() >= context.maxPeers()) {
            throw new TransportException(
                    TransportException.Kind.NO_ROOM,
                    "Cannot invite peer " + (invited.size() + 1) + ": this transport was made for maxPeers="
                            + context.maxPeers() + ". Close a link, or create the transport for more.");
        }
        Address address =
                MemoryAddresses.of(context.callerHost().reach(), use, context.sessionId() + "-" + invitations++);
        MemoryLink link = new MemoryLink(network.invite(address), MemoryLink.Side.INVITER, network, counters);
        invited.add(link);
        return link;
    }

    @Override
    public Link dial(Address address) {
        checkOpen("dial");
        MemoryAddresses.check(address);
        Channel channel = network.accept(address).orElseGet(() -> {
            counters.diallingLost();
            return new Channel(address);
        });
        MemoryLink link = new MemoryLink(channel, MemoryLink.Side.DIALLER, network, counters);
        dialled.add(link);
        return link;
    }

    private void checkOpen(String what) {
        if (closed) {
            throw new IllegalStateException("Cannot " + what + ": this transport of session '" + context.sessionId()
                    + "' is closed. Create another one.");
        }
    }

    @Override
    public int doWork() {
        return advance(invited) + advance(dialled);
    }

    private int advance(List<MemoryLink> links) {
        int work = 0;
        for (int i = links.size() - 1; i >= 0; i--) {
            MemoryLink link = links.get(i);
            if (link.advance()) {
                work++;
            }
            if (isOver(link)) {
                links.remove(i);
            }
        }
        return work;
    }

    private boolean isOver(MemoryLink link) {
        if (link.state() != LinkState.CLOSED) {
            return false;
        }
        network.forget(link.address());
        return true;
    }

    @Override
    public Map<String, Long> counters() {
        return counters.values();
    }

    @Override
    public void close() {
        closed = true;
        for (List<MemoryLink> links : List.of(invited, dialled)) {
            for (MemoryLink link : links) {
                link.close("the transport of session '" + context.sessionId() + "' was closed");
                network.forget(link.address());
            }
            links.clear();
        }
    }
}
