// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.PoolActivity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;

/** Looks at what a pool does now. */
final class Looks {

    private Looks() {}

    /** Returns what workers and calls do; {@code names} says what a worker of a number is called. */
    static PoolActivity at(Roster roster, Collection<Call> open, IntFunction<String> names) {
        List<WorkerSlot> slots = new ArrayList<>();
        roster.all().forEach(slots::add);
        slots.sort(Comparator.comparingInt(slot -> slot.worker));
        return new PoolActivity(
                open.stream().mapToLong(Looks::waiting).sum(),
                slots.stream()
                        .map(slot -> worker(names.apply(slot.worker), slot))
                        .toList());
    }

    private static long waiting(Call call) {
        long[] waiting = {call.source().known() + call.unanswered()};
        call.held().forEach(chunk -> waiting[0] -= chunk.count() - chunk.answered());
        return waiting[0];
    }

    private static PoolActivity.Worker worker(String name, WorkerSlot slot) {
        PoolActivity.State state = switch (slot.state) {
            case STARTING -> PoolActivity.State.STARTING;
            case READY -> PoolActivity.State.READY;
            case DRAINING -> PoolActivity.State.LEAVING;
        };
        long held = slot.lanes.stream()
                .flatMap(lane -> lane.held.stream())
                .mapToLong(chunk -> chunk.count() - chunk.answered())
                .sum();
        return new PoolActivity.Worker(name, state, slot.busyThreads(), held);
    }
}
