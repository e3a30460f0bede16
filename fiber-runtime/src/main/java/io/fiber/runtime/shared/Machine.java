// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;

/** A synchronizer or queue without threads, clock or connection. One thread at a time uses it. */
abstract class Machine {

    /** Takes the replies of a machine. */
    @FunctionalInterface
    interface Replies {
        /**
         * Called once for each request, while the machine handles it or a later event; not for one that was withdrawn
         * or whose process has ended, and at most once for one that needs no answer.
         */
        void reply(SyncTicket ticket, SyncReply reply);
    }

    private final Replies replies;

    Machine(Replies replies) {
        this.replies = replies;
    }

    /** Handles a request. */
    abstract void on(SyncRequest request);

    /** The party of a ticket waits no longer and gets no reply. Does nothing when its reply has gone. */
    abstract void onWithdraw(SyncTicket ticket);

    /** A process has ended: it waits for nothing any more, and what it holds is free. */
    abstract void onGone(ProcessPath process);

    final void reply(SyncTicket ticket, Outcome outcome) {
        reply(ticket, outcome, 0);
    }

    final void reply(SyncTicket ticket, Outcome outcome, long number) {
        reply(ticket, outcome, number, SealedPayload.none());
    }

    final void reply(SyncTicket ticket, Outcome outcome, long number, SealedPayload item) {
        replies.reply(ticket, new SyncReply(outcome, number, item));
    }
}
