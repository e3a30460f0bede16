// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.platform.LivingThreads;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The threads that a process's program has started. Like a JVM, the process lives until the last one that is not a
 * daemon has ended; if that takes long, the log names them. Belongs to the thread that runs the program.
 */
final class ProgramThreads {

    /**
     * A closing session reports after 5 s what it waits for, with the last line of its process; this notice is then
     * that line.
     */
    private static final Duration FIRST_NOTICE = Duration.ofSeconds(3);

    private static final Duration NOTICE_INTERVAL = Duration.ofMinutes(1);

    /** The threads of the process before its program started, which are Fiber's. */
    private final Set<Thread> before = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Records the threads before the program starts. */
    ProgramThreads() {
        before.addAll(LivingThreads.all());
    }

    /** Waits until every thread started by the program, directly or indirectly, has ended; daemons are not waited for. */
    void awaitEnd() {
        awaitEnd(FIRST_NOTICE, notice -> Logs.of(ProgramThreads.class).log(System.Logger.Level.WARNING, notice));
    }

    /** Waits as {@link #awaitEnd()} does, and reports to {@code notices} what it waits for, first after this time. */
    @SuppressWarnings("ThreadJoinLoop") // the loop looks for the next thread, which may be the same
    void awaitEnd(Duration firstNotice, Consumer<String> notices) {
        long noticeNs = System.nanoTime() + firstNotice.toNanos();
        for (List<Thread> living = living(); !living.isEmpty(); living = living()) {
            long leftMs = (noticeNs - System.nanoTime()) / 1_000_000;
            if (leftMs <= 0) {
                notices.accept(notice(living));
                noticeNs = System.nanoTime() + NOTICE_INTERVAL.toNanos();
                continue;
            }
            try {
                living.get(0).join(leftMs);
            } catch (InterruptedException e) {
                // An interrupt of the program that arrived after the program had returned.
            }
        }
    }

    private static String notice(List<Thread> living) {
        String names = living.stream()
                .map(thread -> LateThreads.inWords(thread, thread.getStackTrace()))
                .collect(Collectors.joining("; "));
        return "FBR-315 The program has returned, but its process keeps running because of non-daemon threads that"
                + " the program started: " + names
                + ". End them, for example by shutting down their executor, or make them daemon threads.";
    }

    private List<Thread> living() {
        return LivingThreads.all().stream()
                .filter(thread -> !thread.isDaemon() && thread.isAlive() && !before.contains(thread))
                .toList();
    }
}
