// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.Hosted;
import io.fiber.runtime.rpc.ServiceCall;
import io.fiber.runtime.shared.machines.Operation;
import io.fiber.runtime.shared.machines.Outcome;
import io.fiber.runtime.shared.machines.Party;
import io.fiber.runtime.shared.machines.SyncReply;
import io.fiber.runtime.shared.machines.VirtualLock;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A lock and what it must do: one holds it at a time, who came first gets it first and by a greater epoch, and nobody waits
 * for a lock that is free.
 */
final class WatchedLock implements Hosted {

    private final World world;
    private final Hosted lock = VirtualLock.host();
    private final Set<WatchedCall> waiting = new LinkedHashSet<>();
    private @Nullable Party holder;
    private long epoch;

    WatchedLock(World world) {
        this.world = world;
    }

    /** Tells whether nobody has it or waits for it. */
    boolean isEmpty() {
        return holder == null && waiting.isEmpty();
    }

    @Override
    public void onCall(ServiceCall call) {
        WatchedCall watched = new WatchedCall(call, this::answers);
        if (VirtualLock.isFor(Operation.LOCK, call.request())) {
            waiting.add(watched);
            call.onAbandoned(() -> waiting.remove(watched));
        }
        lock.onCall(watched);
    }

    private void answers(WatchedCall call, long argument, SealedPayload result) {
        SyncReply reply = VirtualLock.reply(argument);
        Party party = new Party(call.caller(), VirtualLock.thread(call.request()));
        if (VirtualLock.isFor(Operation.LOCK, call.request())) {
            granted(call, party, reply);
        } else {
            world.require(
                    reply.outcome() == Outcome.DONE && party.equals(holder),
                    () -> party + " gives the lock back, which " + holder + " has: " + reply.outcome());
            holder = null;
        }
    }

    private void granted(WatchedCall call, Party party, SyncReply reply) {
        world.require(reply.outcome() == Outcome.DONE, () -> party + " asks for the lock: " + reply.outcome());
        world.require(holder == null, () -> party + " gets the lock, which " + holder + " has");
        world.require(
                !waiting.isEmpty() && waiting.iterator().next().equals(call),
                () -> party + " gets the lock before its turn");
        world.require(reply.number() > epoch, () -> party + " gets epoch " + reply.number() + ", after " + epoch);
        waiting.remove(call);
        holder = party;
        epoch = reply.number();
    }

    @Override
    public void onCallerGone(ProcessPath caller) {
        if (holder != null && holder.process().isUnder(caller)) {
            holder = null;
        }
        lock.onCallerGone(caller);
    }

    /** Checks what must hold after each cycle of the process that it lives in. */
    void check() {
        world.require(
                holder != null || waiting.isEmpty(), () -> "the lock is free, and " + waiting.size() + " wait for it");
    }
}
