// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

import io.fiber.runtime.protocol.ProcessPath;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A lock with its conditions. First come, first served. The epoch of a grant is one greater than that of the last.
 *
 * <pre>
 * FREE ─lock─► HELD(party, epoch) ─unlock | await─► HELD(next, epoch + 1) | FREE
 *                                 ─process gone─►   the same, and the next holder learns that it was abandoned
 * </pre>
 */
public final class LockMachine extends Machine {

    private static final long NO_CONDITION = 0;

    /**
     * A waiting caller.
     *
     * @param holds how many times it then holds the lock
     * @param condition the condition that it waits for, or waited for before; {@link #NO_CONDITION} if it only locks
     * @param outcome the outcome of its call if it then gets the lock
     */
    private record Entry(long holds, long condition, Outcome outcome) {}

    private static final Entry FIRST = new Entry(1, NO_CONDITION, Outcome.DONE);

    private final boolean isReentrant;
    /** Callers that wait for the lock. */
    private final Map<SyncCall, Entry> entries = new LinkedHashMap<>();
    /** Callers that wait for a signal. */
    private final Map<SyncCall, Entry> awaiting = new LinkedHashMap<>();
    /** Callers that gave up waiting for a condition and will ask for the lock again. */
    private final Map<Party, Entry> suspended = new HashMap<>();

    private @Nullable Party holder;
    private long holds;
    private long epoch;
    private long lastCondition = NO_CONDITION;
    private boolean holderDied;
    private boolean tellsAbandoned;

    private LockMachine(boolean isReentrant) {
        this.isReentrant = isReentrant;
    }

    /** Returns a free lock, which refuses to be locked again by its holder. */
    public static LockMachine plain() {
        return new LockMachine(false);
    }

    /** Returns a free lock, which its holder may lock again. */
    public static LockMachine reentrant() {
        return new LockMachine(true);
    }

    @Override
    void on(SyncCall call) {
        switch (call.operation()) {
            case LOCK, TRY_LOCK -> lock(call);
            case RELOCK -> relock(call);
            case NEW_CONDITION -> call.reply(Outcome.DONE, ++lastCondition);
            case IS_LOCKED -> call.reply(Outcome.DONE, holder == null ? 0 : 1);
            case HOLDS -> call.reply(Outcome.DONE, isHeldBy(call) ? holds : 0);
            case UNLOCK, EPOCH, WAS_ABANDONED, AWAIT, SIGNAL, SIGNAL_ALL -> {
                if (isHeldBy(call)) {
                    onHolder(call);
                } else {
                    call.reply(Outcome.NOT_HELD, epoch);
                }
            }
            default -> call.reply(Outcome.UNKNOWN_OPERATION);
        }
    }

    private void onHolder(SyncCall call) {
        switch (call.operation()) {
            case UNLOCK -> {
                call.reply(Outcome.DONE, epoch);
                if (--holds == 0) {
                    release();
                }
            }
            case EPOCH -> call.reply(Outcome.DONE, epoch);
            case WAS_ABANDONED -> {
                call.reply(Outcome.DONE, tellsAbandoned ? 1 : 0);
                tellsAbandoned = false;
            }
            default -> onCondition(call);
        }
    }

    private void onCondition(SyncCall call) {
        long condition = call.number();
        if (condition == NO_CONDITION || condition > lastCondition) {
            call.reply(Outcome.UNKNOWN_OPERATION);
        } else if (call.operation() == Operation.AWAIT) {
            awaiting.put(call, new Entry(holds, condition, Outcome.NOT_SIGNALLED));
            release();
        } else {
            signal(condition, call.operation() == Operation.SIGNAL ? 1 : Integer.MAX_VALUE);
            call.reply(Outcome.DONE);
        }
    }

    private void signal(long condition, int count) {
        Iterator<Map.Entry<SyncCall, Entry>> each = awaiting.entrySet().iterator();
        int left = count;
        while (left > 0 && each.hasNext()) {
            Map.Entry<SyncCall, Entry> waiter = each.next();
            Entry entry = waiter.getValue();
            if (entry.condition() == condition) {
                each.remove();
                entries.put(waiter.getKey(), new Entry(entry.holds(), condition, Outcome.DONE));
                left--;
            }
        }
    }

    private void lock(SyncCall call) {
        if (isHeldBy(call) && !isReentrant) {
            call.reply(Outcome.ALREADY_HELD, epoch);
        } else if (isHeldBy(call)) {
            holds++;
            call.reply(Outcome.DONE, epoch);
        } else if (holder == null) {
            grant(call, FIRST);
        } else if (call.operation() == Operation.TRY_LOCK) {
            call.reply(Outcome.WOULD_WAIT);
        } else {
            entries.put(call, FIRST);
        }
    }

    private void relock(SyncCall call) {
        Entry entry = suspended.remove(call.party());
        if (entry == null) {
            call.reply(Outcome.NOT_HELD, epoch);
        } else {
            entries.put(call, entry);
            grantNext();
        }
    }

    private boolean isHeldBy(SyncCall call) {
        return call.party().equals(holder);
    }

    private void grant(SyncCall call, Entry entry) {
        holder = call.party();
        holds = entry.holds();
        epoch++;
        tellsAbandoned = holderDied;
        holderDied = false;
        call.reply(entry.outcome(), epoch);
    }

    private void release() {
        holder = null;
        holds = 0;
        tellsAbandoned = false;
        grantNext();
    }

    private void grantNext() {
        Iterator<Map.Entry<SyncCall, Entry>> each = entries.entrySet().iterator();
        if (holder == null && each.hasNext()) {
            Map.Entry<SyncCall, Entry> next = each.next();
            each.remove();
            grant(next.getKey(), next.getValue());
        }
    }

    /** A caller that gives up waiting for a condition asks for the lock again. A signal that came first still counts. */
    @Override
    void onWithdraw(SyncCall call) {
        Entry waited = awaiting.remove(call);
        Entry entry = waited == null ? entries.remove(call) : waited;
        if (entry != null && entry.condition() != NO_CONDITION) {
            suspended.put(call.party(), entry);
        }
    }

    /** Takes back what the process held. A signal to one of its threads goes to the next waiting caller. */
    @Override
    public void onCallerGone(ProcessPath process) {
        suspended.entrySet().removeIf(each -> {
            boolean lost = each.getKey().process().isUnder(process);
            if (lost && each.getValue().outcome() == Outcome.DONE) {
                signal(each.getValue().condition(), 1);
            }
            return lost;
        });
        if (holder != null && holder.process().isUnder(process)) {
            holderDied = true;
            release();
        } else {
            grantNext();
        }
    }
}
