// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.Hosted;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.rpc.ServiceCall;
import io.fiber.runtime.shared.machines.VirtualQueue;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A queue and what it must do: items leave in the order in which they came, what was taken comes back to the head when its
 * reader is gone and not otherwise, and nobody waits beside what he waits for.
 */
final class WatchedQueue implements Hosted {

    private record Taken(long serial, SharedItem item, ProcessPath reader) {}

    private final World world;
    private final int capacity;
    private final Hosted queue;
    private final TreeMap<Long, SharedItem> held = new TreeMap<>();
    private final Map<Long, Taken> taken = new HashMap<>();
    private final Set<ServiceCall> writers = new HashSet<>();
    private final Set<ServiceCall> readers = new HashSet<>();
    private final Set<SharedItem> done = new HashSet<>();
    private long lastSerial;

    WatchedQueue(World world, int capacity) {
        this.world = world;
        this.capacity = capacity;
        this.queue = VirtualQueue.host(capacity);
    }

    /** Tells whether an item was taken and acknowledged. */
    boolean isDone(SharedItem item) {
        return done.contains(item);
    }

    /** Tells whether everything that was put is done. */
    boolean isEmpty() {
        return held.isEmpty() && taken.isEmpty();
    }

    @Override
    public void onCall(ServiceCall call) {
        WatchedCall watched = new WatchedCall(call, this::answers);
        Set<ServiceCall> waiting = switch (VirtualQueue.kind(call.request())) {
            case PUT -> writers;
            case TAKE -> readers;
            case OTHER -> new HashSet<>();
        };
        waiting.add(watched);
        call.onAbandoned(() -> waiting.remove(watched));
        queue.onCall(watched);
    }

    private void answers(WatchedCall call, long argument, SealedPayload result) {
        VirtualQueue.Kind kind = VirtualQueue.kind(call.request());
        if (kind == VirtualQueue.Kind.PUT) {
            world.require(writers.remove(call), () -> "a put is answered that nobody waits for");
            if (VirtualQueue.isHeld(argument)) {
                world.require(held.size() < capacity, () -> "an item more than the " + capacity + " that fit");
                held.put(++lastSerial, SharedItem.of(call.request().body()));
            }
        } else if (kind == VirtualQueue.Kind.TAKE) {
            world.require(readers.remove(call), () -> "an item is given to one who does not wait for it");
            if (VirtualQueue.isDrained(argument)) {
                world.require(isEmpty(), () -> "the queue counts as drained, and has " + held + " and " + taken);
            } else {
                given(call.caller(), VirtualQueue.delivery(argument), SharedItem.of(result));
            }
        }
    }

    private void given(ProcessPath reader, long delivery, SharedItem item) {
        Map.Entry<Long, SharedItem> first = held.pollFirstEntry();
        world.require(
                first != null && first.getValue().equals(item),
                () -> reader + " is given " + item + "; its turn has " + first);
        world.require(!done.contains(item), () -> item + " is given to " + reader + ", and was acknowledged before");
        if (first != null) {
            Taken before = taken.put(delivery, new Taken(first.getKey(), item, reader));
            world.require(before == null, () -> "delivery " + delivery + " is given twice");
        }
    }

    @Override
    public void onTell(ProcessPath from, Request request) {
        Taken acknowledged = taken.remove(request.argument());
        if (acknowledged != null) {
            world.require(done.add(acknowledged.item), () -> acknowledged.item + " is done twice");
        }
        queue.onTell(from, request);
    }

    @Override
    public void onCallerGone(ProcessPath caller) {
        taken.values().removeIf(each -> {
            boolean returns = each.reader.isUnder(caller);
            if (returns) {
                held.put(each.serial, each.item);
            }
            return returns;
        });
        queue.onCallerGone(caller);
    }

    /** Checks what must hold after each cycle of the process that it lives in. */
    void check() {
        world.require(
                readers.isEmpty() || held.isEmpty(),
                () -> readers.size() + " readers wait, and the queue has " + held.size() + " items");
        world.require(
                writers.isEmpty() || held.size() >= capacity,
                () -> writers.size() + " writers wait, and the queue has " + held.size() + " of " + capacity);
    }
}
