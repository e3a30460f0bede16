// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.protocol.ProcessPath;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A number of permits. First come, first served: a caller that wants many is not overtaken by those that want few. What
 * a process has acquired is booked on it and returns when it ends. A release is booked on the caller's process, or,
 * when nothing is booked there, on the one that has held longest.
 */
final class SemaphoreMachine extends Machine {

    private final long bound;
    private final Map<SyncTicket, Long> waiting = new LinkedHashMap<>();
    private final Map<ProcessPath, Long> booked = new LinkedHashMap<>();
    private long permits;

    /**
     * Creates a semaphore.
     *
     * @param permits how many there are now
     * @param bound how many there can be; {@link Long#MAX_VALUE} for any number
     */
    SemaphoreMachine(long permits, long bound, Replies replies) {
        super(replies);
        this.permits = permits;
        this.bound = bound;
    }

    @Override
    void on(SyncRequest request) {
        SyncTicket ticket = request.ticket();
        switch (request.operation()) {
            case ACQUIRE, TRY_ACQUIRE -> acquire(request);
            case RELEASE -> release(request);
            case AVAILABLE -> reply(ticket, Outcome.DONE, permits);
            default -> reply(ticket, Outcome.UNKNOWN_OPERATION);
        }
    }

    private void acquire(SyncRequest request) {
        SyncTicket ticket = request.ticket();
        long count = request.number();
        if (count > bound) {
            reply(ticket, Outcome.TOO_MANY, bound);
        } else if (count <= permits && waiting.isEmpty()) {
            grant(ticket, count);
        } else if (request.operation() == Operation.TRY_ACQUIRE) {
            reply(ticket, Outcome.WOULD_WAIT);
        } else {
            waiting.put(ticket, count);
        }
    }

    private void grant(SyncTicket ticket, long count) {
        permits -= count;
        booked.merge(ticket.party().process(), count, Long::sum);
        reply(ticket, Outcome.DONE);
    }

    private void release(SyncRequest request) {
        long count = request.number();
        if (count > bound - permits) {
            reply(request.ticket(), Outcome.TOO_MANY, bound);
            return;
        }
        permits += count;
        unbook(request.ticket().party().process(), count);
        reply(request.ticket(), Outcome.DONE);
        grantNext();
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

    private void grantNext() {
        Iterator<Map.Entry<SyncTicket, Long>> each = waiting.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<SyncTicket, Long> next = each.next();
            if (next.getValue() > permits) {
                return;
            }
            each.remove();
            grant(next.getKey(), next.getValue());
        }
    }

    @Override
    void onWithdraw(SyncTicket ticket) {
        waiting.remove(ticket);
        grantNext();
    }

    @Override
    void onGone(ProcessPath process) {
        waiting.keySet().removeIf(ticket -> ticket.isOf(process));
        booked.entrySet().removeIf(each -> {
            boolean returns = each.getKey().isUnder(process);
            if (returns) {
                permits += each.getValue();
            }
            return returns;
        });
        grantNext();
    }
}
