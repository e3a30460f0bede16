// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.jspecify.annotations.Nullable;

/** The selector by which the runtime waits for the sockets of a transport, once it has given one. Thread-safe. */
final class Readiness {

    private volatile @Nullable Selector selector;

    /** Registers with this selector from now on. */
    void use(Selector given) {
        selector = given;
    }

    /** Tells whether a selector was given. */
    boolean isUsed() {
        return selector != null;
    }

    /** Watches a socket for these operations from now on, and for no others; a socket that was closed is none. */
    void watch(SelectableChannel channel, int operations) {
        Selector used = selector;
        if (used == null) {
            return;
        }
        try {
            SelectionKey key = channel.keyFor(used);
            if (key == null) {
                channel.register(used, operations);
                used.wakeup();
                return;
            }
            int before = key.interestOps();
            if (before != operations) {
                key.interestOps(operations);
                if ((operations & ~before) != 0) {
                    used.wakeup();
                }
            }
        } catch (ClosedChannelException | CancelledKeyException | ClosedSelectorException e) {
            // It tells nothing any more, or there is no listener left: then the runtime looks for itself.
        }
    }
}
