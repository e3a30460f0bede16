// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.protocol.ProcessPath;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A flag that can be waited for. */
final class EventMachine extends Machine {

    private final Set<SyncTicket> waiting = new LinkedHashSet<>();
    private boolean isSet;

    EventMachine(Replies replies) {
        super(replies);
    }

    @Override
    void on(SyncRequest request) {
        SyncTicket ticket = request.ticket();
        switch (request.operation()) {
            case SET -> {
                isSet = true;
                reply(ticket, Outcome.DONE);
                List.copyOf(waiting).forEach(waiter -> reply(waiter, Outcome.DONE));
                waiting.clear();
            }
            case CLEAR -> {
                isSet = false;
                reply(ticket, Outcome.DONE);
            }
            case IS_SET -> reply(ticket, Outcome.DONE, isSet ? 1 : 0);
            case WAIT -> {
                if (isSet) {
                    reply(ticket, Outcome.DONE);
                } else {
                    waiting.add(ticket);
                }
            }
            default -> reply(ticket, Outcome.UNKNOWN_OPERATION);
        }
    }

    @Override
    void onWithdraw(SyncTicket ticket) {
        waiting.remove(ticket);
    }

    @Override
    void onGone(ProcessPath process) {
        waiting.removeIf(ticket -> ticket.isOf(process));
    }
}
