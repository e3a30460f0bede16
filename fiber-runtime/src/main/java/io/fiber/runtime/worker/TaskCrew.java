// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.runtime.protocol.Messages.Running;
import io.fiber.runtime.protocol.WorkerRole;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The task threads of a worker, as its conductor sees them. Each thread has its own chunks, in the master's order, and
 * no thread delays another.
 */
public final class TaskCrew implements TaskExecutor {

    private final List<? extends TaskExecutor> threads;
    /** The thread that is asked first when results are collected the next time. */
    private int turn;

    private TaskCrew(List<? extends TaskExecutor> threads) {
        this.threads = threads;
    }

    /**
     * Starts the threads of worker {@code name}, as many as its role has, and names them after it. Faults that do not
     * belong to a task go to {@code onFault}. The thread of a process's program is not a daemon, because the program's
     * threads inherit this: as in a JVM's main thread, they are not daemons unless the program says so.
     */
    public static TaskExecutor start(
            String name, TaskThread.Context context, WorkerRole role, Thread.UncaughtExceptionHandler onFault) {
        List<TaskThread> runners = new ArrayList<>();
        for (int i = 0; i < role.threads(); i++) {
            TaskThread runner = new TaskThread(context).in(name);
            runners.add(runner);
            Thread thread = new Thread(runner, name + "-task-" + (i + 1));
            thread.setDaemon(role.kind() != WorkerRole.Kind.PROCESS);
            thread.setUncaughtExceptionHandler(onFault);
            thread.start();
        }
        return of(runners);
    }

    /** Returns one executor for these threads; a single one is returned as it is. */
    static TaskExecutor of(List<? extends TaskExecutor> threads) {
        return threads.size() == 1 ? threads.get(0) : new TaskCrew(List.copyOf(threads));
    }

    @Override
    public boolean offer(Work item) {
        int slot = item instanceof Work.Chunk chunk ? chunk.slot : 0;
        return slot < threads.size() && threads.get(slot).offer(item);
    }

    @Override
    public @Nullable Report peek() {
        for (int i = 0; i < threads.size(); i++) {
            Report report = threads.get(turn).peek();
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
    public void granted(Work.Chunk chunk, int item) {
        threads.get(chunk.slot).granted(chunk, item);
    }

    @Override
    public void cancel(Work.Chunk chunk, Running running) {
        threads.get(chunk.slot).cancel(chunk, running);
    }

    @Override
    public Work.@Nullable Chunk stuck(long nowNs, long graceNs) {
        for (TaskExecutor thread : threads) {
            Work.Chunk stuck = thread.stuck(nowNs, graceNs);
            if (stuck != null) {
                return stuck;
            }
        }
        return null;
    }
}
