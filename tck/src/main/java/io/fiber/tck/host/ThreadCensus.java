// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.host;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Records the live threads, and later finds those that were created since and have not ended. Threads of another run in
 * this JVM are left out. Not thread-safe.
 */
public final class ThreadCensus {

    /**
     * Threads of the JDK and of JUnit that are created when needed and stay. Before Java 21, only the garbage collector
     * ends the selector of a {@code java.net.http.HttpClient}.
     */
    private static final Pattern NOT_OURS = Pattern.compile("process reaper.*|Common-Cleaner|ForkJoinPool.*"
            + "|Attach Listener|Signal Dispatcher|junit-.*|surefire-.*|Cleaner-\\d+|JMX server.*|RMI .*|C[12] Compiler.*"
            + "|DestroyJavaVM|Reference Handler|Finalizer|Notification Thread|Service Thread|Java2D Disposer"
            + "|HttpClient-\\d+-SelectorManager|CompletableFutureDelayScheduler");

    private static final long LOOK_AGAIN_MS = 20;

    private final Set<Thread> before = new HashSet<>(alive());
    private final Optional<RunGroup> run = RunGroup.of(Thread.currentThread());

    private ThreadCensus() {}

    /** Records the threads that live now. */
    public static ThreadCensus take() {
        return new ThreadCensus();
    }

    private static Set<Thread> alive() {
        return Thread.getAllStackTraces().keySet();
    }

    /** Waits until the threads created since have ended, and returns the names of those that have not. */
    public List<String> leftAfter(Duration limit) {
        long deadlineNs = System.nanoTime() + limit.toNanos();
        List<Thread> left = newcomers();
        for (long leftNs = limit.toNanos(); !left.isEmpty() && leftNs > 0; leftNs = deadlineNs - System.nanoTime()) {
            try {
                // In short steps, so that a thread created meanwhile has its time, too.
                left.get(0).join(Math.min(LOOK_AGAIN_MS, leftNs / 1_000_000 + 1));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
            left = newcomers();
        }
        return left.stream().map(Thread::getName).sorted().toList();
    }

    private boolean isBeside(Thread thread) {
        Optional<RunGroup> other = RunGroup.of(thread);
        return other.isPresent() && !other.equals(run);
    }

    private List<Thread> newcomers() {
        return alive().stream()
                .filter(thread -> !before.contains(thread))
                .filter(thread -> !isBeside(thread))
                .filter(thread -> !NOT_OURS.matcher(thread.getName()).matches())
                .filter(Thread::isAlive) // Last, because a thread that has ended belongs to no group.
                .toList();
    }
}
