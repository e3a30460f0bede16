// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.protocol.ProcessPath;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A flag that can be waited for. */
public final class EventMachine implements Machine {

    private final Replies replies;
    private final Set<SyncTicket> waiting = new LinkedHashSet<>();
    private boolean isSet;

    public EventMachine(Replies replies) {
        this.replies = replies;
    }

    @Override
    public void on(SyncRequest request) {
        SyncTicket ticket = request.ticket();
        switch (request.operation()) {
            case SET -> {
                isSet = true;
                done(ticket);
                List.copyOf(waiting).forEach(this::done);
                waiting.clear();
            }
            case CLEAR -> {
                isSet = false;
                done(ticket);
            }
            case IS_SET -> replies.reply(ticket, SyncReply.of(Outcome.DONE, isSet ? 1 : 0));
            case WAIT -> {
                if (isSet) {
                    done(ticket);
                } else {
                    waiting.add(ticket);
                }
            }
            default -> replies.reply(ticket, SyncReply.of(Outcome.UNKNOWN_OPERATION));
        }
    }

    private void done(SyncTicket ticket) {
        replies.reply(ticket, SyncReply.of(Outcome.DONE));
    }

    @Override
    public void onWithdraw(SyncTicket ticket) {
        waiting.remove(ticket);
    }

    @Override
    public void onGone(ProcessPath process) {
        waiting.removeIf(ticket -> ticket.party().process().isUnder(process));
    }
}
