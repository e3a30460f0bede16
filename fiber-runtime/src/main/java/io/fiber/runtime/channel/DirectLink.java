// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.channel;

import io.fiber.runtime.protocol.HeaderSeal;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A link to another process of the program that has proven itself. One thread at a time writes and one reads; the rest is
 * thread-safe. Frames are sealed unless the link is confined.
 */
public final class DirectLink {

    private final Link link;
    private final LinkWriter writer;
    private final LinkReader reader;
    private final Runnable onClosed;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Creates a link of two ends that have proven themselves.
     *
     * @param onSent is run by any thread when something waits to be carried
     * @param onClosed is run by any thread when the link was closed here
     */
    DirectLink(Link link, Optional<HeaderSeal> seal, Runnable onSent, Runnable onClosed) {
        this.link = link;
        this.writer = new LinkWriter(link, seal, onSent);
        this.reader = new LinkReader(link, seal);
        this.onClosed = onClosed;
    }

    /** Returns what sends; belongs to one thread at a time. */
    public LinkWriter writer() {
        return writer;
    }

    /** Returns what receives; belongs to one thread at a time. */
    public LinkReader reader() {
        return reader;
    }

    /** Tells whether no other user or host can read what is sent. */
    public boolean isConfined() {
        return link.isConfined();
    }

    /** Tells whether it is over: closed by either end, and all that can be read was read. */
    public boolean isClosed() {
        return link.state() == LinkState.CLOSED;
    }

    /** Returns why it is over, for a person. */
    public String closeReason() {
        return link.closeReason();
    }

    /** Closes this end; what the other one has not read yet it still can, as long as this process lives. */
    public void close() {
        if (closed.compareAndSet(false, true)) {
            link.close();
            onClosed.run();
        }
    }
}
