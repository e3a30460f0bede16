// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.protocol.ProcessPath;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A barrier for a number of parties, used again and again. The action, if there is one, is run by the party that came last;
 * the others of its group wait until it is done, and so do those who come for the next group.
 *
 * <pre>
 * OPEN ─the last arrives─► OPEN | ACTING ─action done─► OPEN
 * OPEN | ACTING ─withdraw | break | action failed | process of a waiting party gone─► BROKEN ─reset─► OPEN
 * </pre>
 */
final class BarrierMachine extends Machine {

    private final int parties;
    private final Kind kind;
    private final Set<SyncTicket> waiting = new LinkedHashSet<>();
    /** The group whose action runs, in the order of arrival; the last one runs it and waits for no reply. */
    private List<SyncTicket> acting = List.of();

    private boolean broken;

    /**
     * Creates a barrier that is open.
     *
     * @param kind {@link Kind#BARRIER} or {@link Kind#BARRIER_WITH_ACTION}
     */
    BarrierMachine(int parties, Kind kind, Replies replies) {
        super(replies);
        this.parties = parties;
        this.kind = kind;
    }

    @Override
    void on(SyncRequest request) {
        SyncTicket ticket = request.ticket();
        switch (request.operation()) {
            case ARRIVE -> {
                if (broken) {
                    reply(ticket, Outcome.BROKEN);
                } else {
                    waiting.add(ticket);
                    open();
                }
            }
            case ACTION_DONE, ACTION_FAILED -> onAction(request);
            case RESET -> {
                reply(ticket, Outcome.DONE);
                breakUp();
                broken = false;
            }
            case BREAK -> {
                reply(ticket, Outcome.DONE);
                breakUp();
            }
            case IS_BROKEN -> reply(ticket, Outcome.DONE, broken ? 1 : 0);
            case WAITING -> reply(ticket, Outcome.DONE, waiting.size());
            default -> reply(ticket, Outcome.UNKNOWN_OPERATION);
        }
    }

    private void open() {
        while (acting.isEmpty() && waiting.size() >= parties) {
            List<SyncTicket> group = new ArrayList<>(waiting).subList(0, parties);
            group.forEach(waiting::remove);
            if (kind == Kind.BARRIER_WITH_ACTION) {
                acting = group;
                reply(group.get(parties - 1), Outcome.RUN_ACTION);
            } else {
                letGo(group);
            }
        }
    }

    private void letGo(List<SyncTicket> group) {
        for (int i = 0; i < group.size(); i++) {
            reply(group.get(i), Outcome.DONE, parties - 1L - i);
        }
    }

    /** Whose group was broken up meanwhile learns it now. */
    private void onAction(SyncRequest request) {
        boolean current = !acting.isEmpty()
                && acting.get(parties - 1).party().equals(request.ticket().party());
        if (!current) {
            reply(request.ticket(), Outcome.BROKEN);
            return;
        }
        if (request.operation() == Operation.ACTION_DONE) {
            List<SyncTicket> group = acting;
            acting = List.of();
            letGo(group.subList(0, parties - 1));
            reply(request.ticket(), Outcome.DONE);
            open();
        } else {
            reply(request.ticket(), Outcome.DONE);
            breakUp();
        }
    }

    private void breakUp() {
        broken = true;
        List<SyncTicket> all = new ArrayList<>(acting.subList(0, Math.max(0, acting.size() - 1)));
        all.addAll(waiting);
        acting = List.of();
        waiting.clear();
        all.forEach(ticket -> reply(ticket, Outcome.BROKEN));
    }

    @Override
    void onWithdraw(SyncTicket ticket) {
        leave(ticket::equals);
    }

    @Override
    void onGone(ProcessPath process) {
        leave(ticket -> ticket.isOf(process));
    }

    /** Those who wait no longer, also for the action, break the barrier for the others. */
    private void leave(Predicate<SyncTicket> who) {
        boolean waited = waiting.removeIf(who);
        boolean acted = acting.stream().anyMatch(who);
        if (acted) {
            SyncTicket actor = acting.get(parties - 1);
            acting = acting.stream()
                    .filter(ticket -> ticket.equals(actor) || !who.test(ticket))
                    .toList();
        }
        if (waited || acted) {
            breakUp();
        }
    }
}
