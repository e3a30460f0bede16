// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.runtime.protocol.WorkerRole;
import java.util.ArrayList;
import java.util.List;

/** The task threads of a worker's process. Thread-safe. */
public final class TaskThreads {

    private final List<TaskThread> runners = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final TaskExecutor executor;

    private TaskThreads(TaskThread.Tools tools, int count) {
        ConductorRotation rotation = new ConductorRotation(tools.conductor(), count);
        for (int i = 0; i < count; i++) {
            TaskThread runner = new TaskThread(tools, rotation.place(i));
            runners.add(runner);
            threads.add(new Thread(runner, "fiber-task-" + (i + 1)));
        }
        this.executor = TaskCrew.of(runners);
    }

    /**
     * Starts the threads that a worker of this role has; {@code onFault} hears of what is no task's fault. The thread of a
     * process's program is no daemon, since the threads that a program starts take after it: there, as in a JVM's main
     * thread, they are none unless the program says so.
     */
    public static TaskThreads start(TaskThread.Tools tools, WorkerRole role, Thread.UncaughtExceptionHandler onFault) {
        TaskThreads started = new TaskThreads(tools, role.threads());
        for (Thread thread : started.threads) {
            thread.setDaemon(role.kind() != WorkerRole.Kind.PROCESS);
            thread.setUncaughtExceptionHandler(onFault);
            thread.start();
        }
        return started;
    }

    /** Returns where the conductor hands work over. */
    public TaskExecutor executor() {
        return executor;
    }

    /** Tells whether each runs a task now, so that another thread must look after the conductor. */
    public boolean areBusy() {
        for (int i = 0; i < runners.size(); i++) {
            if (!runners.get(i).isBusy()) {
                return false;
            }
        }
        return true;
    }
}
