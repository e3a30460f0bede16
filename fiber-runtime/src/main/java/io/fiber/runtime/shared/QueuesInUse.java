// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.rpc.CompletionHooks.TaskEnd;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.shared.machines.QueueMachine.Delivery;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What the threads of this process have under way to queues and from them. Thread-safe. */
final class QueuesInUse implements TaskEnd {

    /** With more queues, those that a thread does not use now are forgotten. */
    private static final int QUEUES_OF_A_THREAD = 16;
    /** With twice as many threads as lived last time, those that have ended are forgotten. */
    private static final int FEW_THREADS = 16;

    private final Map<Thread, Map<ObjectAddress, Use>> byThread = new ConcurrentHashMap<>();
    private volatile int purgeAt = FEW_THREADS;

    /** A queue as one thread uses it. */
    private static final class Use {
        final PutWindow window;
        volatile @Nullable ReadAhead ahead;

        Use(RemoteObject queue) {
            window = new PutWindow(queue);
        }

        boolean isIdle() {
            ReadAhead reads = ahead;
            return window.isSettled() && (reads == null || reads.isIdle());
        }
    }

    static QueuesInUse of(ProcessContext process) {
        return process.part(QueuesInUse.class, () -> {
            QueuesInUse made = new QueuesInUse();
            process.afterwards().addTaskEnd(made);
            return made;
        });
    }

    /** Returns what the calling thread has under way to a queue. */
    PutWindow window(RemoteObject queue) {
        return use(queue).window;
    }

    /** Returns what the calling thread has of a queue. */
    ReadAhead ahead(RemoteObject queue, Delivery delivery) {
        Use use = use(queue);
        ReadAhead known = use.ahead;
        if (known == null) {
            known = new ReadAhead(queue, delivery);
            use.ahead = known;
        }
        return known;
    }

    private Use use(RemoteObject queue) {
        Map<ObjectAddress, Use> mine = byThread.get(Thread.currentThread());
        if (mine == null) {
            purge();
            mine = new ConcurrentHashMap<>();
            byThread.put(Thread.currentThread(), mine);
        }
        Use known = mine.get(queue.address());
        if (known == null) {
            if (mine.size() >= QUEUES_OF_A_THREAD) {
                mine.values().removeIf(Use::isIdle);
            }
            known = new Use(queue);
            mine.put(queue.address(), known);
        }
        return known;
    }

    private void purge() {
        if (byThread.size() >= purgeAt) {
            byThread.entrySet()
                    .removeIf(each -> !each.getKey().isAlive()
                            && each.getValue().values().stream().allMatch(Use::isIdle));
            purgeAt = Math.max(FEW_THREADS, 2 * byThread.size());
        }
    }

    /** Waits until a queue holds all items that threads of this process have put. */
    void flush(RemoteObject queue) {
        for (Map<ObjectAddress, Use> each : byThread.values()) {
            Use use = each.get(queue.address());
            if (use != null) {
                use.window.flush();
            }
        }
    }

    /** What the task has put is in its queues, and what it was sent ahead is there for others. */
    @Override
    public void beforeResult() {
        Map<ObjectAddress, Use> mine = byThread.get(Thread.currentThread());
        if (mine != null) {
            for (Use use : mine.values()) {
                use.window.flush();
                giveBack(use);
            }
        }
    }

    /** The exception of the task says enough. */
    @Override
    public void afterFailure() {
        Map<ObjectAddress, Use> mine = byThread.remove(Thread.currentThread());
        if (mine != null) {
            mine.values().forEach(QueuesInUse::giveBack);
        }
    }

    private static void giveBack(Use use) {
        ReadAhead reads = use.ahead;
        if (reads != null && !reads.isIdle()) {
            reads.giveBack();
        }
    }
}
