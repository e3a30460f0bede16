// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What is to be said once a thread has done with something: when it says so itself, when its task has ended and the
 * result has left, when the thread has ended, or when the process ends in order; but not when it dies. Thread-safe.
 */
public final class CompletionHooks {

    private final Map<Thread, Map<Object, Runnable>> byThread = new ConcurrentHashMap<>();

    /** Has something done once the calling thread is done with {@code subject}. */
    public void add(Object subject, Runnable action) {
        byThread.computeIfAbsent(Thread.currentThread(), thread -> new ConcurrentHashMap<>())
                .put(subject, action);
    }

    /**
     * The calling thread is done with {@code subject}: returns what is to be done; the caller must do it. What threads that
     * have ended owe is done before: the caller may wait for it next.
     */
    public @Nullable Runnable take(Object subject) {
        runOfEndedThreads();
        Map<Object, Runnable> actions = byThread.get(Thread.currentThread());
        return actions == null ? null : actions.remove(subject);
    }

    /** Tells whether anything is to be done once the calling thread has ended its task. */
    public boolean areOwed() {
        Map<Object, Runnable> actions = byThread.get(Thread.currentThread());
        return actions != null && !actions.isEmpty();
    }

    /** Returns what is to be done because the calling thread has ended its task; the caller must do it. */
    public List<Runnable> takeAll() {
        return takeAll(Thread.currentThread());
    }

    private List<Runnable> takeAll(Thread thread) {
        Map<Object, Runnable> actions = byThread.remove(thread);
        return actions == null ? List.of() : List.copyOf(actions.values());
    }

    /** The process ends in order: all threads are done with everything. */
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
