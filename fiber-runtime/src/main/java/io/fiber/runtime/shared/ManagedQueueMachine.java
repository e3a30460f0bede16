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

/**
 * A queue of items, first in, first out, for readers and writers first come, first served. An item is kept until it is done
 * if its reader asked for that; it returns to the head when the process that took it ends before.
 */
public final class ManagedQueueMachine implements Machine {

    /** The number with which an item is taken that is kept until it is done. */
    public static final long KEPT = 1;

    /** The number with which an item is taken that is the reader's at once. */
    public static final long GIVEN = 0;

    private record Taken(LockHolder party, SealedPayload item) {}

    private final long capacity;
    private final Replies replies;
    /** By serial number, which is the order: what returns is in front of what was put later. */
    private final NavigableMap<Long, SealedPayload> items = new TreeMap<>();

    private final NavigableMap<Long, Taken> taken = new TreeMap<>();
    /** With the number that each came with. */
    private final Map<SyncTicket, Long> readers = new LinkedHashMap<>();

    private final Map<SyncTicket, SealedPayload> writers = new LinkedHashMap<>();
    private final Set<SyncTicket> joiners = new LinkedHashSet<>();
    private long lastSerial;

    /**
     * Creates an empty queue.
     *
     * @param capacity how many items it takes; {@link Long#MAX_VALUE} for any number
     */
    public ManagedQueueMachine(long capacity, Replies replies) {
        this.capacity = capacity;
        this.replies = replies;
    }

    @Override
    public void on(SyncRequest request) {
        SyncTicket ticket = request.ticket();
        switch (request.operation()) {
            case PUT, OFFER -> put(request);
            case TAKE, POLL -> take(request);
            case SIZE -> reply(ticket, Outcome.DONE, items.size());
            case TASK_DONE -> taskDone(ticket);
            case RECEIVED -> done(request.number());
            case JOIN -> {
                if (isAllDone()) {
                    reply(ticket, Outcome.DONE, 0);
                } else {
                    joiners.add(ticket);
                }
            }
            default -> reply(ticket, Outcome.UNKNOWN_OPERATION, 0);
        }
    }

    private void put(SyncRequest request) {
        if (items.size() < capacity) {
            accept(request.ticket(), request.item());
            serve();
        } else if (request.operation() == Operation.OFFER) {
            reply(request.ticket(), Outcome.WOULD_WAIT, 0);
        } else {
            writers.put(request.ticket(), request.item());
        }
    }

    private void accept(SyncTicket writer, SealedPayload item) {
        items.put(++lastSerial, item);
        reply(writer, Outcome.DONE, 0);
    }

    private void take(SyncRequest request) {
        if (!items.isEmpty() || request.operation() == Operation.TAKE) {
            readers.put(request.ticket(), request.number());
            serve();
        } else {
            reply(request.ticket(), Outcome.WOULD_WAIT, 0);
        }
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
            if (isKept) {
                taken.put(first.getKey(), new Taken(ticket.party(), first.getValue()));
            }
            replies.reply(ticket, new SyncReply(Outcome.DONE, first.getKey(), first.getValue()));
            admitWriters();
        }
        admitWriters();
    }

    private void admitWriters() {
        Iterator<Map.Entry<SyncTicket, SealedPayload>> writer =
                writers.entrySet().iterator();
        while (writer.hasNext() && items.size() < capacity) {
            Map.Entry<SyncTicket, SealedPayload> next = writer.next();
            writer.remove();
            accept(next.getKey(), next.getValue());
        }
    }

    /** The item that is done is the one that the thread has had longest; else, that its process has had longest. */
    private void taskDone(SyncTicket ticket) {
        Optional<Long> serial =
                firstTaken(ticket.party(), Match.THREAD).or(() -> firstTaken(ticket.party(), Match.PROCESS));
        if (serial.isEmpty()) {
            reply(ticket, Outcome.NOTHING_TAKEN, 0);
            return;
        }
        reply(ticket, Outcome.DONE, 0);
        done(serial.get());
    }

    private void done(long serial) {
        taken.remove(serial);
        releaseJoiners();
    }

    private enum Match {
        THREAD,
        PROCESS
    }

    private Optional<Long> firstTaken(LockHolder party, Match match) {
        return taken.entrySet().stream()
                .filter(each -> match == Match.THREAD
                        ? each.getValue().party().equals(party)
                        : each.getValue().party().process().equals(party.process()))
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
            all.forEach(ticket -> reply(ticket, Outcome.DONE, 0));
        }
    }

    @Override
    public void onWithdraw(SyncTicket ticket) {
        readers.remove(ticket);
        writers.remove(ticket);
        joiners.remove(ticket);
        releaseJoiners();
    }

    @Override
    public void onGone(ProcessPath process) {
        readers.keySet().removeIf(ticket -> ticket.party().process().isUnder(process));
        writers.keySet().removeIf(ticket -> ticket.party().process().isUnder(process));
        joiners.removeIf(ticket -> ticket.party().process().isUnder(process));
        taken.entrySet().removeIf(each -> {
            boolean returns = each.getValue().party().process().isUnder(process);
            if (returns) {
                items.put(each.getKey(), each.getValue().item());
            }
            return returns;
        });
        serve();
        releaseJoiners();
    }

    private void reply(SyncTicket ticket, Outcome outcome, long number) {
        replies.reply(ticket, SyncReply.of(outcome, number));
    }
}
