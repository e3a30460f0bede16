// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

import io.fiber.runtime.protocol.ProcessPath;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A number of permits. First come, first served: callers that want few permits do not overtake one that wants many. The
 * permits of a process return when it ends. A release counts for the caller's process or, if that holds none, for the
 * process that has held permits longest.
 */
public final class SemaphoreMachine extends LinedMachine {

    private final long bound;
    private final Map<ProcessPath, Long> booked = new LinkedHashMap<>();
    private long permits;

    /** Creates a semaphore with free permits and a bound, {@link Long#MAX_VALUE} for none. */
    public SemaphoreMachine(long permits, long bound) {
        this.permits = permits;
        this.bound = bound;
    }

    @Override
    boolean answers(SyncCall call) {
        switch (call.operation()) {
            case ACQUIRE, TRY_ACQUIRE -> {
                return acquire(call);
            }
            case RELEASE -> release(call);
            case AVAILABLE -> call.reply(Outcome.DONE, permits);
            default -> call.reply(Outcome.UNKNOWN_OPERATION);
        }
        return true;
    }

    private boolean acquire(SyncCall call) {
        long count = call.number();
        if (count > bound) {
            call.reply(Outcome.TOO_MANY, bound);
        } else if (isFirst(call) && count <= permits) {
            permits -= count;
            booked.merge(call.party().process(), count, Long::sum);
            call.reply(Outcome.DONE);
        } else {
            return false;
        }
        return true;
    }

    private void release(SyncCall call) {
        long count = call.number();
        if (count > bound - permits) {
            call.reply(Outcome.TOO_MANY, bound);
            return;
        }
        permits += count;
        unbook(call.party().process(), count);
        call.reply(Outcome.DONE);
    }

    private void unbook(ProcessPath process, long count) {
        long left = count - unbookFrom(process, count);
        while (left > 0 && !booked.isEmpty()) {
            left -= unbookFrom(booked.keySet().iterator().next(), left);
        }
    }

    private long unbookFrom(ProcessPath process, long count) {
        long has = booked.getOrDefault(process, 0L);
        long taken = Math.min(has, count);
        if (has == taken) {
            booked.remove(process);
        } else {
            booked.put(process, has - taken);
        }
        return taken;
    }

    @Override
    public void onCallerGone(ProcessPath process) {
        booked.entrySet().removeIf(each -> {
            boolean returns = each.getKey().isUnder(process);
            if (returns) {
                permits += each.getValue();
            }
            return returns;
        });
        serve();
    }
}
