// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.runtime.wire.Messages.Running;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The task threads of one worker, as its conductor sees them: each has chunks of its own, in the order that the master has
 * chosen, and nothing that one does holds up another. Called by the conductor only.
 */
final class TaskCrew implements TaskDesk {

    private final List<? extends TaskDesk> desks;
    /** Whose report is next, if it has one. */
    private int turn;

    private TaskCrew(List<? extends TaskDesk> desks) {
        this.desks = desks;
    }

    /** Returns the desk of these threads: of one alone, its own. */
    static TaskDesk of(List<? extends TaskDesk> desks) {
        return desks.size() == 1 ? desks.get(0) : new TaskCrew(List.copyOf(desks));
    }

    @Override
    public boolean offer(Work item) {
        int lane = item instanceof Work.Items chunk ? chunk.lane : 0;
        return lane < desks.size() && desks.get(lane).offer(item);
    }

    @Override
    public @Nullable Report peek() {
        for (int i = 0; i < desks.size(); i++) {
            Report report = desks.get(turn).peek();
            if (report != null) {
                return report;
            }
            turn = (turn + 1) % desks.size();
        }
        return null;
    }

    @Override
    public void taken() {
        desks.get(turn).taken();
        turn = (turn + 1) % desks.size();
    }

    @Override
    public void granted(Work.Items chunk, int item) {
        desks.get(chunk.lane).granted(chunk, item);
    }

    @Override
    public void cancel(Work.Items chunk, Running running) {
        desks.get(chunk.lane).cancel(chunk, running);
    }

    @Override
    public Work.@Nullable Items stuck(long nowNs, long graceNs) {
        for (TaskDesk desk : desks) {
            Work.Items stuck = desk.stuck(nowNs, graceNs);
            if (stuck != null) {
                return stuck;
            }
        }
        return null;
    }
}
