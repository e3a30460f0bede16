// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * A queue of items, first in, first out, for readers and writers first come, first served. It is full with so many
 * items, or so many bytes of them; one item always fits. An item is kept until it is done if its reader asked
 * for that; it returns to the head when the process that took it ends before.
 *
 * <pre>
 * item  (put waits) ─room─► HELD ─take─► TAKEN ─done─► gone;  TAKEN ─reader gone─► HELD, at the head
 * </pre>
 */
final class QueueMachine extends Machine {

    /** The number with which an item is taken that is kept until it is done. */
    static final long KEPT = 1;

    /** The number with which an item is taken that is the reader's at once. */
    static final long GIVEN = 0;

    /** The rest of the heap is for other queues, items that are taken or wait to be put, and the program. */
    private static final int SHARE_OF_HEAP = 4;

    private record Taken(LockHolder party, SealedPayload item) {}

    private final long capacity;
    private final long limitBytes;
    /** By serial number, which is the order: what returns is in front of what was put later. */
    private final NavigableMap<Long, SealedPayload> items = new TreeMap<>();

    private final NavigableMap<Long, Taken> taken = new TreeMap<>();
    /** With the number that each came with. */
    private final Map<SyncTicket, Long> readers = new LinkedHashMap<>();

    private final Map<SyncTicket, SealedPayload> writers = new LinkedHashMap<>();
    private final Set<SyncTicket> joiners = new LinkedHashSet<>();
    private long heldBytes;
    private long lastSerial;
    private boolean closed;

    /**
     * Creates an empty queue that takes items of up to a quarter of the heap.
     *
     * @param capacity how many items it takes; {@link Long#MAX_VALUE} for any number
     */
    QueueMachine(long capacity, Replies replies) {
        this(capacity, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP, replies);
    }

    QueueMachine(long capacity, long limitBytes, Replies replies) {
        super(replies);
        this.capacity = capacity;
        this.limitBytes = limitBytes;
    }

    @Override
    void on(SyncRequest request) {
        SyncTicket ticket = request.ticket();
        switch (request.operation()) {
            case PUT, OFFER -> put(request);
            case TAKE, POLL -> take(request);
            case SIZE -> reply(ticket, Outcome.DONE, items.size());
            case CLOSE -> close(ticket);
            case TASK_DONE -> taskDone(ticket);
            case RECEIVED -> done(request.number());
            case JOIN -> {
                if (isAllDone()) {
                    reply(ticket, Outcome.DONE);
                } else {
                    joiners.add(ticket);
                }
            }
            default -> reply(ticket, Outcome.UNKNOWN_OPERATION);
        }
    }

    private void put(SyncRequest request) {
        if (closed) {
            reply(request.ticket(), Outcome.CLOSED);
        } else if (writers.isEmpty() && hasRoom(request.item())) {
            accept(request.ticket(), request.item());
            serve();
        } else if (request.operation() == Operation.OFFER) {
            reply(request.ticket(), Outcome.WOULD_WAIT);
        } else {
            writers.put(request.ticket(), request.item());
        }
    }

    private boolean hasRoom(SealedPayload item) {
        return items.isEmpty() || (items.size() < capacity && item.length() <= limitBytes - heldBytes);
    }

    private void accept(SyncTicket writer, SealedPayload item) {
        hold(++lastSerial, item);
        reply(writer, Outcome.DONE);
    }

    private void hold(long serial, SealedPayload item) {
        items.put(serial, item);
        heldBytes += item.length();
    }

    private void take(SyncRequest request) {
        if (!items.isEmpty() || isDrained() || request.operation() == Operation.TAKE) {
            readers.put(request.ticket(), request.number());
            serve();
        } else {
            reply(request.ticket(), Outcome.WOULD_WAIT);
        }
    }

    private void close(SyncTicket ticket) {
        closed = true;
        List<SyncTicket> refused = List.copyOf(writers.keySet());
        writers.clear();
        refused.forEach(writer -> reply(writer, Outcome.CLOSED));
        serve();
        reply(ticket, Outcome.DONE);
        releaseJoiners();
    }

    /** What was taken and is not done may return. */
    private boolean isDrained() {
        return closed && items.isEmpty() && taken.isEmpty();
    }

    /** Hands out items as long as there are readers, and lets writers in as long as there is room. */
    private void serve() {
        Iterator<Map.Entry<SyncTicket, Long>> reader = readers.entrySet().iterator();
        while (reader.hasNext() && !items.isEmpty()) {
            Map.Entry<SyncTicket, Long> next = reader.next();
            SyncTicket ticket = next.getKey();
            boolean isKept = next.getValue() != GIVEN;
            reader.remove();
            Map.Entry<Long, SealedPayload> first = items.pollFirstEntry();
            heldBytes -= first.getValue().length();
            if (isKept) {
                taken.put(first.getKey(), new Taken(ticket.party(), first.getValue()));
            }
            reply(ticket, Outcome.DONE, first.getKey(), first.getValue());
            admitWriters();
        }
        admitWriters();
        if (isDrained()) {
            List<SyncTicket> late = List.copyOf(readers.keySet());
            readers.clear();
            late.forEach(ticket -> reply(ticket, Outcome.CLOSED));
        }
    }

    private void admitWriters() {
        Iterator<Map.Entry<SyncTicket, SealedPayload>> writer =
                writers.entrySet().iterator();
        while (writer.hasNext()) {
            Map.Entry<SyncTicket, SealedPayload> next = writer.next();
            if (!hasRoom(next.getValue())) {
                return;
            }
            writer.remove();
            accept(next.getKey(), next.getValue());
        }
    }

    /** The item that is done is the one that the thread has had longest; else, that its process has had longest. */
    private void taskDone(SyncTicket ticket) {
        LockHolder party = ticket.party();
        Optional<Long> serial = firstTaken(party::equals)
                .or(() -> firstTaken(taker -> taker.process().equals(party.process())));
        if (serial.isEmpty()) {
            reply(ticket, Outcome.NOTHING_TAKEN);
            return;
        }
        reply(ticket, Outcome.DONE);
        done(serial.get());
    }

    private void done(long serial) {
        taken.remove(serial);
        serve();
        releaseJoiners();
    }

    private Optional<Long> firstTaken(Predicate<LockHolder> taker) {
        return taken.entrySet().stream()
                .filter(each -> taker.test(each.getValue().party()))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private boolean isAllDone() {
        return items.isEmpty() && taken.isEmpty() && writers.isEmpty();
    }

    private void releaseJoiners() {
        if (isAllDone()) {
            List<SyncTicket> all = List.copyOf(joiners);
            joiners.clear();
            all.forEach(ticket -> reply(ticket, Outcome.DONE));
        }
    }

    @Override
    void onWithdraw(SyncTicket ticket) {
        readers.remove(ticket);
        if (writers.remove(ticket) != null) {
            // One behind it may have an item for which there is room.
            serve();
        }
        joiners.remove(ticket);
        releaseJoiners();
    }

    @Override
    void onGone(ProcessPath process) {
        readers.keySet().removeIf(ticket -> ticket.isOf(process));
        writers.keySet().removeIf(ticket -> ticket.isOf(process));
        joiners.removeIf(ticket -> ticket.isOf(process));
        taken.entrySet().removeIf(each -> {
            boolean returns = each.getValue().party().process().isUnder(process);
            if (returns) {
                hold(each.getKey(), each.getValue().item());
            }
            return returns;
        });
        serve();
        releaseJoiners();
    }
}
