// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

import io.fiber.runtime.protocol.ProcessPath;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A barrier for a number of parties, used again and again. If it has an action, the party that arrives last runs it. The
 * others of its group, and parties that arrive for the next group, wait until the action is done.
 *
 * <pre>
 * OPEN ─the last arrives─► OPEN | ACTING ─action done─► OPEN
 * OPEN | ACTING ─withdraw | break | action failed | process of a waiting party gone─► BROKEN ─reset─► OPEN
 * </pre>
 */
public final class BarrierMachine extends Machine {

    private final int parties;
    private final boolean hasAction;
    private final Set<SyncCall> waiting = new LinkedHashSet<>();
    /** The group whose action runs, in order of arrival. The last party runs it and has its reply already. */
    private final List<SyncCall> acting = new ArrayList<>();

    private boolean broken;

    private BarrierMachine(int parties, boolean hasAction) {
        this.parties = parties;
        this.hasAction = hasAction;
    }

    /** Returns an open barrier without an action. */
    public static BarrierMachine plain(int parties) {
        return new BarrierMachine(parties, false);
    }

    /** Returns an open barrier whose action the last party of a group runs. */
    public static BarrierMachine withAction(int parties) {
        return new BarrierMachine(parties, true);
    }

    @Override
    void on(SyncCall call) {
        switch (call.operation()) {
            case ARRIVE -> {
                if (broken) {
                    call.reply(Outcome.BROKEN);
                } else {
                    waiting.add(call);
                    open();
                }
            }
            case ACTION_DONE, ACTION_FAILED -> onAction(call);
            case RESET, BREAK -> {
                call.reply(Outcome.DONE);
                breakUp();
                broken = call.operation() == Operation.BREAK;
            }
            case IS_BROKEN -> call.reply(Outcome.DONE, broken ? 1 : 0);
            case WAITING -> call.reply(Outcome.DONE, waiting.size());
            default -> call.reply(Outcome.UNKNOWN_OPERATION);
        }
    }

    private void open() {
        while (acting.isEmpty() && waiting.size() >= parties) {
            List<SyncCall> group = new ArrayList<>(waiting).subList(0, parties);
            group.forEach(waiting::remove);
            if (hasAction) {
                acting.addAll(group);
                group.get(parties - 1).reply(Outcome.RUN_ACTION);
            } else {
                letGo(group);
            }
        }
    }

    /** Releases the parties of a group; the one that ran the action has its reply already. */
    private void letGo(List<SyncCall> group) {
        for (int i = 0; i < group.size(); i++) {
            if (group.get(i).isOpen()) {
                group.get(i).reply(Outcome.DONE, parties - 1L - i);
            }
        }
    }

    /** Ends an action. If its group was broken up meanwhile, the runner learns that now. */
    private void onAction(SyncCall call) {
        if (acting.isEmpty() || !actor().party().equals(call.party())) {
            call.reply(Outcome.BROKEN);
            return;
        }
        call.reply(Outcome.DONE);
        if (call.operation() == Operation.ACTION_DONE) {
            List<SyncCall> group = List.copyOf(acting);
            acting.clear();
            letGo(group);
            open();
        } else {
            breakUp();
        }
    }

    private SyncCall actor() {
        return acting.get(acting.size() - 1);
    }

    private void breakUp() {
        broken = true;
        List<SyncCall> all = new ArrayList<>(acting);
        all.addAll(waiting);
        acting.clear();
        waiting.clear();
        all.stream().filter(SyncCall::isOpen).forEach(call -> call.reply(Outcome.BROKEN));
    }

    /** A party that stops waiting, even for the action, breaks the barrier for the others. */
    @Override
    void onWithdraw(SyncCall call) {
        waiting.remove(call);
        acting.remove(call);
        breakUp();
    }

    @Override
    public void onCallerGone(ProcessPath process) {
        if (!acting.isEmpty() && actor().party().process().isUnder(process)) {
            breakUp();
        }
    }
}
