// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A machine with a line of waiting calls for each operation. */
abstract class LinedMachine extends Machine {

    private final Map<Operation, Set<SyncCall>> lines = new TreeMap<>();

    /** Answers a call unless it must wait. Returns whether it was answered. */
    abstract boolean answers(SyncCall call);

    @Override
    final void on(SyncCall call) {
        if (answers(call)) {
            serve();
        } else if (isTry(call)) {
            call.reply(Outcome.WOULD_WAIT);
        } else {
            lines.computeIfAbsent(call.operation().waitsAs(), operation -> new LinkedHashSet<>())
                    .add(call);
        }
    }

    /** Returns whether a call is answered at once if it would have to wait. */
    boolean isTry(SyncCall call) {
        return call.operation().isTry();
    }

    /** Returns whether no other call has waited longer for the same operation. */
    final boolean isFirst(SyncCall call) {
        Set<SyncCall> line = lines.get(call.operation().waitsAs());
        return line == null || line.isEmpty() || line.iterator().next() == call;
    }

    /** Returns whether a call waits. */
    final boolean isWaiting(SyncCall call) {
        Set<SyncCall> line = lines.get(call.operation().waitsAs());
        return line != null && line.contains(call);
    }

    /** Returns whether calls wait for an operation. */
    final boolean isAwaited(Operation operation) {
        Set<SyncCall> line = lines.get(operation);
        return line != null && !line.isEmpty();
    }

    /** Answers waiting calls until all that are left must wait. */
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

    /** Removes a call. The next one in line may need less and be answered. */
    @Override
    final void onWithdraw(SyncCall call) {
        if (call.operation() == Operation.SEND) {
            // Its writer has not waited, and is gone. The item is here.
            return;
        }
        Set<SyncCall> line = lines.get(call.operation().waitsAs());
        if (line != null && line.remove(call)) {
            serve();
        }
    }
}
