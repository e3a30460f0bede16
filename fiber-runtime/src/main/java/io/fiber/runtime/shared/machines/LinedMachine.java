// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A machine at which calls that must wait stand in line, one line for each operation. */
abstract class LinedMachine extends Machine {

    private final Map<Operation, Set<SyncCall>> lines = new TreeMap<>();

    /** Answers a call, unless it must wait; returns whether it did. */
    abstract boolean answers(SyncCall call);

    @Override
    final void on(SyncCall call) {
        if (answers(call)) {
            serve();
        } else if (call.operation() == call.operation().waitsAs()) {
            lines.computeIfAbsent(call.operation(), operation -> new LinkedHashSet<>())
                    .add(call);
        } else {
            call.reply(Outcome.WOULD_WAIT);
        }
    }

    /** Tells whether no other call has waited longer for the same. */
    final boolean isFirst(SyncCall call) {
        Set<SyncCall> line = lines.get(call.operation().waitsAs());
        return line == null || line.isEmpty() || line.iterator().next() == call;
    }

    /** Tells whether calls wait for this. */
    final boolean isAwaited(Operation operation) {
        Set<SyncCall> line = lines.get(operation);
        return line != null && !line.isEmpty();
    }

    /** Answers the calls that wait, as far as they need wait no longer. */
    final void serve() {
        boolean served = true;
        while (served) {
            served = false;
            for (Set<SyncCall> line : lines.values()) {
                Iterator<SyncCall> waiting = line.iterator();
                while (waiting.hasNext() && answers(waiting.next())) {
                    waiting.remove();
                    served = true;
                }
            }
        }
    }

    /** One behind it may need less. */
    @Override
    final void onWithdraw(SyncCall call) {
        Set<SyncCall> line = lines.get(call.operation());
        if (line != null && line.remove(call)) {
            serve();
        }
    }
}
