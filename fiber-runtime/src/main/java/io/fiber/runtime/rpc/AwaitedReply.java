// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import io.fiber.runtime.eventloop.Waiter;
import org.jspecify.annotations.Nullable;

/** A reply that a thread waits for. Made by that thread. */
final class AwaitedReply implements ReplyListener {

    private final Waiter waiter = new Waiter();
    private volatile @Nullable Reply reply;

    Waiter waiter() {
        return waiter;
    }

    /** Returns the reply; null when there is none. */
    @Nullable
    Reply reply() {
        return reply;
    }

    @Override
    public void onReply(Reply newReply) {
        reply = newReply;
        waiter.end();
    }
}
