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

    private final List<? extends TaskExecutor> threads;
    /** Which thread is asked for results first, the next time. */
    private int turn;

    private TaskCrew(List<? extends TaskExecutor> threads) {
        this.threads = threads;
    }

    /** Returns one executor for these threads: of one alone, itself. */
    static TaskExecutor of(List<? extends TaskExecutor> threads) {
        return threads.size() == 1 ? threads.get(0) : new TaskCrew(List.copyOf(threads));
    }

    @Override
    public boolean offer(Work item) {
        int slot = item instanceof Work.Items chunk ? chunk.slot : 0;
        return slot < threads.size() && threads.get(slot).offer(item);
    }

    @Override
    public @Nullable ResultBatch peek() {
        for (int i = 0; i < threads.size(); i++) {
            ResultBatch report = threads.get(turn).peek();
            if (report != null) {
                return report;
            }
            turn = (turn + 1) % threads.size();
        }
        return null;
    }

    @Override
    public void taken() {
        threads.get(turn).taken();
        turn = (turn + 1) % threads.size();
    }

    @Override
    public void granted(Work.Items chunk, int item) {
        threads.get(chunk.slot).granted(chunk, item);
    }

    @Override
    public void cancel(Work.Items chunk, Running running) {
        threads.get(chunk.slot).cancel(chunk, running);
    }

    @Override
    public Work.@Nullable Items stuck(long nowNs, long graceNs) {
        for (TaskExecutor thread : threads) {
            Work.Items stuck = thread.stuck(nowNs, graceNs);
            if (stuck != null) {
                return stuck;
            }
        }
        return null;
    }
}
