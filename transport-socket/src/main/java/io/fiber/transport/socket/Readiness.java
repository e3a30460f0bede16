// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

import io.fiber.spi.transport.Link;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.jspecify.annotations.Nullable;

/**
 * Registers the sockets of a transport with the selector by which the runtime waits for them, if it has provided one.
 * Thread-safe.
 */
final class Readiness {

    private volatile @Nullable Selector selector;

    /** Registers sockets with this selector from now on. */
    void use(Selector given) {
        selector = given;
    }

    /** Returns whether a selector was provided, and is open. */
    boolean isUsed() {
        Selector used = selector;
        return used != null && used.isOpen();
    }

    /** Watches a socket at which the transport must be driven. */
    void watch(SelectableChannel channel, int operations) {
        watch(channel, operations, null);
    }

    /**
     * Watches a socket for exactly these operations from now on. Does nothing if the socket is closed.
     *
     * @param link the link to use when the socket is ready; null if the transport must be driven
     */
    void watch(SelectableChannel channel, int operations, @Nullable Link link) {
        Selector used = selector;
        if (used == null) {
            return;
        }
        try {
            SelectionKey key = channel.keyFor(used);
            if (key == null) {
                channel.register(used, operations, link);
                used.wakeup();
                return;
            }
            key.attach(link);
            int before = key.interestOps();
            if (before != operations) {
                key.interestOps(operations);
                if ((operations & ~before) != 0) {
                    used.wakeup();
                }
            }
        } catch (ClosedChannelException | CancelledKeyException | ClosedSelectorException e) {
            // The socket or the selector is closed. In the latter case the runtime polls.
        }
    }
}
