// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.runtime.protocol.Messages.Running;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The task threads of one worker, as its conductor sees them: each has chunks of its own, in the order that the master has
 * chosen, and nothing that one does holds up another. Called by the conductor only.
 */
final class TaskCrew implements TaskExecutor {

    private final List<? extends TaskExecutor> desks;
    /** Whose report is next, if it has one. */
    private int turn;

    private TaskCrew(List<? extends TaskExecutor> desks) {
        this.desks = desks;
    }

    /** Returns the desk of these threads: of one alone, its own. */
    static TaskExecutor of(List<? extends TaskExecutor> desks) {
        return desks.size() == 1 ? desks.get(0) : new TaskCrew(List.copyOf(desks));
    }

    @Override
    public boolean offer(Work item) {
        int slot = item instanceof Work.Items chunk ? chunk.slot : 0;
        return slot < desks.size() && desks.get(slot).offer(item);
    }

    @Override
    public @Nullable ResultBatch peek() {
        for (int i = 0; i < desks.size(); i++) {
            ResultBatch report = desks.get(turn).peek();
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
        desks.get(chunk.slot).granted(chunk, item);
    }

    @Override
    public void cancel(Work.Items chunk, Running running) {
        desks.get(chunk.slot).cancel(chunk, running);
    }

    @Override
    public Work.@Nullable Items stuck(long nowNs, long graceNs) {
        for (TaskExecutor desk : desks) {
            Work.Items stuck = desk.stuck(nowNs, graceNs);
            if (stuck != null) {
                return stuck;
            }
        }
        return null;
    }
}
