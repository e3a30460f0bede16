// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.protocol.ProcessPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A lock with its conditions. First come, first served. Each grant has an epoch, one greater than the one before.
 *
 * <pre>
 * FREE ─lock─► HELD(party, epoch) ─unlock | await─► HELD(next, epoch + 1) | FREE
 *                                 ─process gone─►   the same, and the next holder learns that it was abandoned
 * </pre>
 */
final class LockMachine extends Machine {

    private static final long NO_CONDITION = 0;

    /**
     * A caller that waits for the lock.
     *
     * @param holds how often it holds the lock then
     * @param condition what it waited for before; {@link #NO_CONDITION} for one that just locks
     * @param outcome what it is told then
     */
    private record Entry(long holds, long condition, Outcome outcome) {}

    private final Kind kind;
    private final Map<SyncTicket, Entry> entries = new LinkedHashMap<>();
    /** By the number of the condition: the callers that wait for it, and how often each held the lock. */
    private final Map<Long, Map<SyncTicket, Long>> conditions = new HashMap<>();

    /** Callers that have given up waiting for a condition and will come back for the lock. */
    private final Map<LockHolder, Entry> suspended = new HashMap<>();

    private @Nullable LockHolder holder;
    private long holds;
    private long epoch;
    private long lastCondition = NO_CONDITION;
    private boolean holderDied;
    private boolean tellsAbandoned;

    /**
     * Creates a free lock.
     *
     * @param kind {@link Kind#LOCK}, or {@link Kind#REENTRANT_LOCK} when its holder may lock again
     */
    LockMachine(Kind kind, Replies replies) {
        super(replies);
        this.kind = kind;
    }

    @Override
    void on(SyncRequest request) {
        SyncTicket ticket = request.ticket();
        switch (request.operation()) {
            case LOCK, TRY_LOCK -> lock(request.operation(), ticket);
            case RELOCK -> relock(ticket);
            case NEW_CONDITION -> {
                conditions.put(++lastCondition, new LinkedHashMap<>());
                reply(ticket, Outcome.DONE, lastCondition);
            }
            case IS_LOCKED -> reply(ticket, Outcome.DONE, holder == null ? 0 : 1);
            case HOLDS -> reply(ticket, Outcome.DONE, isHeldBy(ticket.party()) ? holds : 0);
            case UNLOCK, EPOCH, WAS_ABANDONED, AWAIT, SIGNAL, SIGNAL_ALL -> {
                if (isHeldBy(ticket.party())) {
                    onHolder(request);
                } else {
                    reply(ticket, Outcome.NOT_HELD, epoch);
                }
            }
            default -> reply(ticket, Outcome.UNKNOWN_OPERATION);
        }
    }

    private void onHolder(SyncRequest request) {
        SyncTicket ticket = request.ticket();
        switch (request.operation()) {
            case UNLOCK -> {
                reply(ticket, Outcome.DONE, epoch);
                if (--holds == 0) {
                    release();
                }
            }
            case EPOCH -> reply(ticket, Outcome.DONE, epoch);
            case WAS_ABANDONED -> {
                reply(ticket, Outcome.DONE, tellsAbandoned ? 1 : 0);
                tellsAbandoned = false;
            }
            default -> onCondition(request);
        }
    }

    private void onCondition(SyncRequest request) {
        SyncTicket ticket = request.ticket();
        Map<SyncTicket, Long> waiting = conditions.get(request.number());
        if (waiting == null) {
            reply(ticket, Outcome.UNKNOWN_OPERATION);
        } else if (request.operation() == Operation.AWAIT) {
            waiting.put(ticket, holds);
            release();
        } else {
            int count = request.operation() == Operation.SIGNAL ? 1 : Integer.MAX_VALUE;
            signal(request.number(), waiting, count);
            reply(ticket, Outcome.DONE);
        }
    }

    private void signal(long condition, Map<SyncTicket, Long> waiting, int count) {
        Iterator<Map.Entry<SyncTicket, Long>> each = waiting.entrySet().iterator();
        for (int i = 0; i < count && each.hasNext(); i++) {
            Map.Entry<SyncTicket, Long> waiter = each.next();
            each.remove();
            entries.put(waiter.getKey(), new Entry(waiter.getValue(), condition, Outcome.DONE));
        }
    }

    private void lock(Operation operation, SyncTicket ticket) {
        if (isHeldBy(ticket.party())) {
            lockAgain(ticket);
        } else if (holder == null) {
            grant(ticket, new Entry(1, NO_CONDITION, Outcome.DONE));
        } else if (operation == Operation.TRY_LOCK) {
            reply(ticket, Outcome.WOULD_WAIT);
        } else {
            entries.put(ticket, new Entry(1, NO_CONDITION, Outcome.DONE));
        }
    }

    private void relock(SyncTicket ticket) {
        Entry entry = suspended.remove(ticket.party());
        if (entry == null) {
            reply(ticket, Outcome.NOT_HELD, epoch);
        } else {
            entries.put(ticket, entry);
            grantNext();
        }
    }

    private void lockAgain(SyncTicket ticket) {
        if (kind == Kind.LOCK) {
            reply(ticket, Outcome.ALREADY_HELD, epoch);
        } else {
            holds++;
            reply(ticket, Outcome.DONE, epoch);
        }
    }

    private boolean isHeldBy(LockHolder party) {
        return party.equals(holder);
    }

    private void grant(SyncTicket ticket, Entry entry) {
        holder = ticket.party();
        holds = entry.holds();
        epoch++;
        tellsAbandoned = holderDied;
        holderDied = false;
        reply(ticket, entry.outcome(), epoch);
    }

    private void release() {
        holder = null;
        holds = 0;
        tellsAbandoned = false;
        grantNext();
    }

    private void grantNext() {
        Iterator<Map.Entry<SyncTicket, Entry>> each = entries.entrySet().iterator();
        if (holder == null && each.hasNext()) {
            Map.Entry<SyncTicket, Entry> next = each.next();
            each.remove();
            grant(next.getKey(), next.getValue());
        }
    }

    /** A caller that gives up waiting for a condition comes back for the lock; a signal that came before counts. */
    @Override
    void onWithdraw(SyncTicket ticket) {
        Entry entry = entries.remove(ticket);
        if (entry != null && entry.condition() != NO_CONDITION) {
            suspended.put(ticket.party(), entry);
        }
        conditions.forEach((number, waiting) -> {
            Long held = waiting.remove(ticket);
            if (held != null) {
                suspended.put(ticket.party(), new Entry(held, number, Outcome.NOT_SIGNALLED));
            }
        });
    }

    /** A signal that woke one of its threads in vain goes to the next that waits. */
    @Override
    void onGone(ProcessPath process) {
        conditions.values().forEach(waiting -> waiting.keySet().removeIf(ticket -> ticket.isOf(process)));
        List<Long> lostSignals = new ArrayList<>();
        entries.entrySet().removeIf(each -> isLost(each.getKey().party(), each.getValue(), process, lostSignals));
        suspended.entrySet().removeIf(each -> isLost(each.getKey(), each.getValue(), process, lostSignals));
        lostSignals.forEach(condition -> signal(condition, conditions.getOrDefault(condition, Map.of()), 1));
        if (holder != null && holder.process().isUnder(process)) {
            holderDied = true;
            release();
        } else {
            grantNext();
        }
    }

    private static boolean isLost(LockHolder party, Entry entry, ProcessPath process, List<Long> lostSignals) {
        boolean lost = party.process().isUnder(process);
        if (lost && entry.condition() != NO_CONDITION && entry.outcome() == Outcome.DONE) {
            lostSignals.add(entry.condition());
        }
        return lost;
    }
}
