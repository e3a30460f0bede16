// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

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

    /** Returns whether a selector was provided. */
    boolean isUsed() {
        return selector != null;
    }

    /** Watches a socket for exactly these operations from now on. Does nothing if the socket is closed. */
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
            // The socket or the selector is closed. In the latter case the runtime polls.
        }
    }
}
