// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Actions to run once a thread is done with something: when it says so itself, when its task has ended and the result
 * has left, when the thread has ended, or when the process ends in order, but not if it dies. Thread-safe.
 */
public final class CompletionHooks {

    private final Map<Thread, Map<Object, Runnable>> byThread = new ConcurrentHashMap<>();
    private final List<TaskEnd> taskEnds = new CopyOnWriteArrayList<>();

    /** What a task does at its end, in its own thread. */
    public interface TaskEnd {
        /** The task has succeeded, and its result is about to leave. What this throws fails the task. */
        void beforeResult();

        /** The task has failed. */
        void afterFailure();
    }

    /** Adds what every task does at its end. */
    public void addTaskEnd(TaskEnd end) {
        taskEnds.add(end);
    }

    /** The calling thread's task has succeeded. */
    public void beforeResult() {
        taskEnds.forEach(TaskEnd::beforeResult);
    }

    /** The calling thread's task has failed. */
    public void afterFailure() {
        taskEnds.forEach(TaskEnd::afterFailure);
    }

    /** Adds an action to run once the calling thread is done with {@code subject}. */
    public void add(Object subject, Runnable action) {
        byThread.computeIfAbsent(Thread.currentThread(), thread -> new ConcurrentHashMap<>())
                .put(subject, action);
    }

    /**
     * Says that the calling thread is done with {@code subject}, and returns the action, which the caller must run.
     * Actions of threads that have ended run before, because the caller may wait for their effect next.
     */
    public @Nullable Runnable take(Object subject) {
        runOfEndedThreads();
        Map<Object, Runnable> actions = byThread.get(Thread.currentThread());
        return actions == null ? null : actions.remove(subject);
    }

    /** Returns whether there are actions for the end of the calling thread's task. */
    public boolean areOwed() {
        Map<Object, Runnable> actions = byThread.get(Thread.currentThread());
        return actions != null && !actions.isEmpty();
    }

    /** Returns the actions for the end of the calling thread's task, which the caller must run. */
    public List<Runnable> takeAll() {
        return takeAll(Thread.currentThread());
    }

    private List<Runnable> takeAll(Thread thread) {
        Map<Object, Runnable> actions = byThread.remove(thread);
        return actions == null ? List.of() : List.copyOf(actions.values());
    }

    /** Runs all actions, because the process ends in order and all threads are done with everything. */
    public void runAll() {
        List.copyOf(byThread.keySet()).forEach(this::run);
    }

    private void runOfEndedThreads() {
        for (Thread thread : byThread.keySet()) {
            if (!thread.isAlive()) {
                run(thread);
            }
        }
    }

    private void run(Thread thread) {
        takeAll(thread).forEach(Runnable::run);
    }
}
