// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.runtime.platform.LivingThreads;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Names the threads that keep a JVM from ending: its shutdown hooks, and threads that they have started. */
final class LateThreads {

    private static final int MOST = 10;
    private static final String HOOKS = "java.lang.ApplicationShutdownHooks";

    private LateThreads() {}

    /**
     * Returns the threads that were started since {@code before} was taken and have not ended, each with its position.
     * The hook that the JVM waits for is included, even if it was started earlier.
     */
    static List<String> since(Set<Thread> before) {
        Map<Thread, StackTraceElement[]> traces = Thread.getAllStackTraces();
        Optional<Thread> awaited = awaited(traces).filter(hook -> !isFiber(hook));
        List<String> late = new ArrayList<>();
        awaited.ifPresent(hook -> late.add(inWords(hook, traces.get(hook))));
        traces.forEach((thread, trace) -> {
            boolean isNew = !before.contains(thread) && !isFiber(thread) && thread.getThreadGroup() != null;
            if (isNew && !isSame(awaited, thread) && isApplication(thread) && late.size() < MOST) {
                late.add(inWords(thread, trace));
            }
        });
        return late;
    }

    private static boolean isFiber(Thread thread) {
        return thread == Thread.currentThread() || ExitWatch.THREADS.contains(thread.getName());
    }

    private static boolean isSame(Optional<Thread> awaited, Thread thread) {
        return awaited.isPresent() && awaited.get() == thread;
    }

    /** Returns whether the thread was not started by the JVM for itself. */
    static boolean isApplication(Thread thread) {
        ThreadGroup group = thread.getThreadGroup();
        return group != null && group.getParent() != null;
    }

    /** Returns the thread's name and its position in the program. */
    static String inWords(Thread thread, StackTraceElement @Nullable [] trace) {
        StringBuilder words = new StringBuilder("'").append(thread.getName()).append("'");
        for (StackTraceElement frame : trace == null ? new StackTraceElement[0] : trace) {
            if (frame.getClassName().equals("java.lang.Runtime")
                    && frame.getMethodName().equals("exit")) {
                words.append(", which called System.exit: that never returns in a shutdown hook,");
            } else if (!isOfJdk(frame)) {
                return words.append(" at ").append(withoutLoader(frame)).toString();
            }
        }
        return words.toString();
    }

    private static StackTraceElement withoutLoader(StackTraceElement frame) {
        return new StackTraceElement(
                frame.getClassName(), frame.getMethodName(), frame.getFileName(), frame.getLineNumber());
    }

    private static boolean isOfJdk(StackTraceElement frame) {
        String name = frame.getClassName();
        return name.startsWith("java.") || name.startsWith("jdk.") || name.startsWith("sun.");
    }

    /** Returns the hook that the JVM waits for now. It names no other. */
    private static Optional<Thread> awaited(Map<Thread, StackTraceElement[]> traces) {
        for (Map.Entry<Thread, StackTraceElement[]> each : traces.entrySet()) {
            if (waitsForHooks(each.getValue())) {
                return awaitedBy(each.getKey());
            }
        }
        return Optional.empty();
    }

    private static boolean waitsForHooks(StackTraceElement[] trace) {
        for (StackTraceElement frame : trace) {
            if (frame.getClassName().equals(HOOKS)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the thread whose end {@code waiting} waits for, according to its lock; empty if it does not wait, or if
     * this is unknown.
     */
    @SuppressWarnings("deprecation") // threadId() is of Java 19
    static Optional<Thread> awaitedBy(Thread waiting) {
        try {
            ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(waiting.getId());
            LockInfo lock = info == null ? null : info.getLockInfo();
            return lock == null
                    ? Optional.empty()
                    : LivingThreads.all().stream()
                            .filter(thread -> System.identityHashCode(thread) == lock.getIdentityHashCode())
                            .findFirst();
        } catch (LinkageError e) {
            // A runtime image without java.management.
            return Optional.empty();
        }
    }
}
