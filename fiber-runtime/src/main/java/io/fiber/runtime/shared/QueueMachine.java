// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a queue holds, who waits, and which items have left without being acknowledged. Events in, effects out to those who
 * wait; no thread, clock or wire. Not thread-safe.
 *
 * <pre>
 * item  (put waits) ─room─► HELD ─take─► DELIVERED ─acknowledged─► gone;  DELIVERED ─reader gone─► HELD, at the head
 * </pre>
 *
 * @param <I> an item, which is never looked into
 */
final class QueueMachine<I> {

    /** Somebody who wants to add an item. Told once, unless it gives up before. */
    interface Writer {
        /** The queue holds the item. */
        void onHeld();

        /** The queue is closed and does not hold the item. */
        void onClosed();
    }

    /** Somebody who wants an item. Told once, unless it gives up before. */
    interface Reader<I> {
        /**
         * It has an item.
         *
         * @param delivery names what it is to acknowledge; above 0
         */
        void onItem(long delivery, I item);

        /** The queue is closed and all its items were received. */
        void onDrained();

        /** Tells whether it will acknowledge; else an item is gone once it is delivered. */
        boolean acknowledges();
    }

    private record Put<I>(Writer writer, I item) {}

    private record Delivered<I>(Reader<I> reader, I item) {}

    private final int capacity;
    private final ArrayDeque<I> held = new ArrayDeque<>();
    /** By the number of their delivery; all of them were ahead of those in {@link #held}. */
    private final TreeMap<Long, I> returned = new TreeMap<>();

    private final ArrayDeque<Put<I>> writers = new ArrayDeque<>();
    private final ArrayDeque<Reader<I>> readers = new ArrayDeque<>();
    private final Map<Long, Delivered<I>> delivered = new HashMap<>();
    private long deliveries;
    private boolean closed;

    /** Creates a queue that holds up to {@code capacity} items; returned ones may be more. */
    QueueMachine(int capacity) {
        this.capacity = capacity;
    }

    /** Returns how many items are held. */
    int size() {
        return held.size() + returned.size();
    }

    /** Returns how many items were delivered and neither acknowledged nor returned. */
    int unacknowledged() {
        return delivered.size();
    }

    void onPut(Writer writer, I item) {
        if (closed) {
            writer.onClosed();
        } else if (size() < capacity) {
            held.add(item);
            writer.onHeld();
            serve();
        } else {
            writers.add(new Put<>(writer, item));
        }
    }

    void onTake(Reader<I> reader) {
        readers.add(reader);
        serve();
    }

    /** A writer waits no more. */
    void onGiveUp(Writer writer) {
        writers.removeIf(put -> put.writer() == writer);
    }

    /** A reader waits no more. */
    void onGiveUp(Reader<I> reader) {
        readers.removeIf(waiting -> waiting == reader);
    }

    /** A reader has what was delivered. */
    void onAcknowledged(long delivery) {
        delivered.remove(delivery);
        serve();
    }

    /** Readers are gone: what they have not acknowledged goes back to the head, in its order. */
    void onGone(Predicate<Reader<I>> who) {
        Iterator<Map.Entry<Long, Delivered<I>>> all = delivered.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<Long, Delivered<I>> entry = all.next();
            if (who.test(entry.getValue().reader())) {
                returned.put(entry.getKey(), entry.getValue().item());
                all.remove();
            }
        }
        serve();
    }

    void onClose() {
        closed = true;
        List<Put<I>> refused = new ArrayList<>(writers);
        writers.clear();
        refused.forEach(put -> put.writer().onClosed());
        serve();
    }

    private void serve() {
        while (!readers.isEmpty() && size() > 0) {
            deliver(readers.remove());
        }
        while (!writers.isEmpty() && size() < capacity) {
            Put<I> put = writers.remove();
            held.add(put.item());
            put.writer().onHeld();
        }
        while (closed && size() == 0 && delivered.isEmpty() && !readers.isEmpty()) {
            readers.remove().onDrained();
        }
    }

    private void deliver(Reader<I> reader) {
        Map.@Nullable Entry<Long, I> first = returned.pollFirstEntry();
        long delivery = first == null ? ++deliveries : first.getKey();
        I item = first == null ? held.remove() : first.getValue();
        if (reader.acknowledges()) {
            delivered.put(delivery, new Delivered<>(reader, item));
        }
        reader.onItem(delivery, item);
    }
}
