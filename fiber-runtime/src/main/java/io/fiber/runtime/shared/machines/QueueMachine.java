// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * A queue of items, first in, first out. Waiting readers and writers are served first come, first served. Capacity and
 * bytes limit it, but one item always fits. If its reader asks for {@link Delivery#AT_LEAST_ONCE}, an item is kept until
 * the reader is done, and returns to the head if the process of the reader ends first.
 *
 * <pre>
 * item  (put waits) ─room─► HELD ─take─► TAKEN ─done─► gone;  TAKEN ─reader gone─► HELD, at the head
 * </pre>
 */
public final class QueueMachine extends LinedMachine {

    /** A serial number has so many bits, in a message with how many of them are meant. */
    static final int SERIAL_BITS = 48;

    private static final long SERIAL_MASK = (1L << SERIAL_BITS) - 1;
    /** A reader may have some dozens of items that it has not asked for, beside one that fills half of its heap. */
    private static final long GREATEST_AHEAD_BYTES = 4 << 10;
    /** More items on their way from one process do not make a queue faster: a frame has room for some hundred. */
    private static final long MOST_ON_THEIR_WAY = 64;
    /** Items on their way come on top of the capacity. A larger share would let a small queue hold far more than it should. */
    private static final long SHARE_ON_THEIR_WAY = 16;

    private record Taken(Party party, SealedPayload item, boolean isAhead) {}

    private final long capacity;
    private final long limitBytes;
    /** By serial number, so that an item that returns is in front of items that were put later. */
    private final NavigableMap<Long, SealedPayload> items = new TreeMap<>();

    private final NavigableMap<Long, Taken> taken = new TreeMap<>();
    /** How many of the taken items were sent to readers that had not asked for them. */
    private int sentAhead;

    private long heldBytes;
    private long lastSerial;
    private boolean closed;

    /** Creates an empty queue of up to {@code capacity} items and about {@code limitBytes}. */
    public QueueMachine(long capacity, long limitBytes) {
        this.capacity = capacity;
        this.limitBytes = limitBytes;
    }

    @Override
    boolean answers(SyncCall call) {
        switch (call.operation()) {
            case PUT, OFFER, SEND -> {
                return put(call);
            }
            case TAKE, POLL, TAKE_AHEAD -> {
                return take(call);
            }
            case JOIN -> {
                if (!items.isEmpty() || !taken.isEmpty() || isAwaited(Operation.PUT)) {
                    return false;
                }
                call.reply(Outcome.DONE);
            }
            case SIZE -> call.reply(Outcome.DONE, items.size());
            case CLOSE -> {
                closed = true;
                call.reply(Outcome.DONE);
            }
            case TASK_DONE -> taskDone(call);
            case RECEIVED -> received(call.number() & SERIAL_MASK, call.number() >>> SERIAL_BITS);
            case RETURN -> giveBack(call.party(), call.number());
            default -> call.reply(Outcome.UNKNOWN_OPERATION);
        }
        return true;
    }

    private boolean put(SyncCall call) {
        boolean isLate = closed && isWaiting(call) && call.operation() == Operation.SEND;
        if (closed && !isLate) {
            call.reply(Outcome.CLOSED);
        } else if (isLate || (isFirst(call) && hasRoom(call.item()))) {
            hold(++lastSerial, call.item());
            call.reply(Outcome.DONE, Math.min(MOST_ON_THEIR_WAY, capacity / SHARE_ON_THEIR_WAY));
        } else {
            return false;
        }
        return true;
    }

    private boolean hasRoom(SealedPayload item) {
        return items.isEmpty() || (items.size() < capacity && item.length() <= limitBytes - heldBytes);
    }

    private void hold(long serial, SealedPayload item) {
        items.put(serial, item);
        heldBytes += item.length();
    }

    /** A closed queue has ended only if no taken item can return. */
    private boolean take(SyncCall call) {
        boolean isAhead = call.operation() == Operation.TAKE_AHEAD;
        if (isAhead && !items.isEmpty() && items.firstEntry().getValue().length() > GREATEST_AHEAD_BYTES) {
            return false;
        }
        Map.Entry<Long, SealedPayload> first = items.pollFirstEntry();
        if (first != null) {
            heldBytes -= first.getValue().length();
            if (isAhead || Delivery.of(call.number()) == Delivery.AT_LEAST_ONCE) {
                taken.put(first.getKey(), new Taken(call.party(), first.getValue(), isAhead));
                sentAhead += isAhead ? 1 : 0;
            }
            call.reply(items.isEmpty() ? Outcome.DONE : Outcome.DONE_WITH_MORE, first.getKey(), first.getValue());
        } else if (closed && taken.isEmpty()) {
            call.reply(Outcome.CLOSED);
        } else if (isWaiting(call) && isTry(call)) {
            call.reply(Outcome.WOULD_WAIT);
        } else {
            return false;
        }
        return true;
    }

    /** An item that was sent ahead may return, so nothing is said about an empty queue meanwhile. */
    @Override
    boolean isTry(SyncCall call) {
        return super.isTry(call) && !(call.operation() == Operation.POLL && sentAhead > 0);
    }

    private void received(long first, long others) {
        for (long serial = first; serial <= first + others; serial++) {
            remove(serial);
        }
    }

    private void remove(long serial) {
        Taken known = taken.remove(serial);
        sentAhead -= known != null && known.isAhead() ? 1 : 0;
    }

    /** The item is in its old place again. */
    private void giveBack(Party reader, long serial) {
        Taken known = taken.get(serial);
        // It has returned before if its reader was taken for dead, and may be with another one.
        if (known != null && known.party().process().equals(reader.process())) {
            remove(serial);
            hold(serial, known.item());
        }
    }

    /** Ends the oldest delivery to the thread or, if it has none, to its process. */
    private void taskDone(SyncCall call) {
        Party party = call.party();
        Optional<Long> serial = firstTaken(party::equals)
                .or(() -> firstTaken(taker -> taker.process().equals(party.process())));
        serial.ifPresent(this::remove);
        call.reply(serial.isPresent() ? Outcome.DONE : Outcome.NOTHING_TAKEN);
    }

    private Optional<Long> firstTaken(Predicate<Party> taker) {
        return taken.entrySet().stream()
                .filter(each -> taker.test(each.getValue().party()))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    @Override
    public void onCallerGone(ProcessPath process) {
        taken.entrySet().removeIf(each -> {
            boolean returns = each.getValue().party().process().isUnder(process);
            if (returns) {
                hold(each.getKey(), each.getValue().item());
                sentAhead -= each.getValue().isAhead() ? 1 : 0;
            }
            return returns;
        });
        serve();
    }

    /** Whether the queue keeps an item until its reader is done. The position is the number of a {@code TAKE}. */
    public enum Delivery {
        /** The queue forgets the item. */
        AT_MOST_ONCE,
        /** The queue keeps the item until the reader is done; it returns to the head if the reader ends first. */
        AT_LEAST_ONCE;

        @SuppressWarnings("EnumOrdinal") // the position is the code
        public long number() {
            return ordinal();
        }

        static Delivery of(long number) {
            return number == 0 ? AT_MOST_ONCE : AT_LEAST_ONCE;
        }
    }
}
