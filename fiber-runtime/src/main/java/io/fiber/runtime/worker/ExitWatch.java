// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import static java.util.Objects.requireNonNull;

import io.fiber.runtime.config.ConfigKey;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.protocol.ExitCode;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Limits how long this JVM takes to end, whether Fiber, a signal or {@code System.exit} in a task or a hook ends it.
 * Shutdown hooks may run as long as the setting {@code shutdown-grace} says. When they have ended, what they may have
 * used is closed and removed. The log names threads that have not ended in time, and the JVM is halted: otherwise a JVM
 * whose hooks wait forever would continue to send heartbeats. Thread-safe.
 */
public final class ExitWatch {

    private static final String HOOK = "fiber-cleanup";
    private static final String WATCH = "fiber-exit-watch";
    /** The names of the watch's threads, which keep no JVM running. */
    static final Set<String> THREADS = Set.of(HOOK, WATCH);

    /** The shortest grace. A healthy JVM takes some 10 ms to end, and longer on a busy host. */
    private static final long LEAST_NS = 1_000_000_000;

    /**
     * How long the last words may take. They take milliseconds, and seconds on a busy host; what they need may be locked by
     * what did not end.
     */
    private static final long LAST_WORDS_MS = 5_000;

    private final ExitCleanup cleanup;
    private volatile long limitNs = Duration.ofSeconds(5).toNanos();
    private volatile @Nullable Runnable tellMaster;
    private volatile @Nullable LongConsumer closing;
    private volatile @Nullable OtherHooks hooks;

    /** The hook that is this watch. The thread that ends the JVM starts it before the hooks after it. */
    private final class Hook extends Thread {
        private volatile @Nullable Thread ending;

        Hook() {
            super(HOOK);
        }

        @Override
        public synchronized void start() {
            ending = Thread.currentThread();
            if (hooks == null) {
                hooks = OtherHooks.someStarted();
            }
            super.start();
        }

        @Override
        public void run() {
            begin(requireNonNull(ending, "ending"), requireNonNull(hooks, "hooks"));
        }
    }

    /** Creates a watch that is not set. Before it halts a JVM, it removes the files of {@code cleanup}. */
    public ExitWatch(ExitCleanup cleanup) {
        this.cleanup = cleanup;
    }

    /** Returns how long shutdown hooks may run: as long as the settings say, and at least a second. */
    public static long limitNs(FiberConfig config) {
        return Math.max(LEAST_NS, config.duration(ConfigKey.SHUTDOWN_GRACE).toNanos());
    }

    /** Sets the watch. It starts when this JVM begins to end. */
    public void set() {
        Runtime.getRuntime().addShutdownHook(new Hook());
    }

    /**
     * Sets how long hooks may run, and what tells the master that this JVM is halted; the latter may block for a while.
     */
    public void limit(FiberConfig config, Runnable halting) {
        limitNs = limitNs(config);
        tellMaster = halting;
    }

    /**
     * Sets what runs when all shutdown hooks have ended. It is given its limit in nanoseconds, and is abandoned after
     * that.
     */
    public void closeAfterHooks(LongConsumer close) {
        closing = close;
    }

    /** Ends this JVM within the limit. Does not return. */
    public void exit(int code) {
        note();
        System.exit(code);
    }

    /** Ends this JVM within the limit, and within {@code most} if that is shorter. Does not return. */
    public void exit(int code, Duration most) {
        limitNs = Math.min(limitNs, most.toNanos());
        exit(code);
    }

    private void note() {
        if (hooks == null) {
            hooks = OtherHooks.noneStarted();
        }
    }

    private void begin(Thread ending, OtherHooks others) {
        long dueNs = System.nanoTime() + limitNs;
        try {
            daemon(WATCH, () -> haltAt(dueNs)).start();
        } catch (OutOfMemoryError e) {
            // No thread can be started for it, so this one keeps the JVM from ending earlier.
            haltAt(dueNs);
        }
        LongConsumer last = closing;
        if (last == null && cleanup.isEmpty()) {
            return;
        }
        if (!others.awaitEnd(ending, dueNs)) {
            // The watch tells the master, through the connection that would be closed here.
            return;
        }
        if (last != null) {
            last.accept((dueNs - System.nanoTime()) / 2);
        }
        cleanup.remove();
    }

    private static Thread daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    private void haltAt(long dueNs) {
        for (long leftNs = dueNs - System.nanoTime(); leftNs > 0; leftNs = dueNs - System.nanoTime()) {
            LockSupport.parkNanos(this, leftNs);
        }
        try {
            Thread lastWords = daemon("fiber-last-words", this::speak);
            lastWords.start();
            lastWords.join(LAST_WORDS_MS);
        } catch (Throwable e) {
            // It ends without a report.
        } finally {
            Runtime.getRuntime().halt(ExitCode.HALTED.code());
        }
    }

    private void speak() {
        OtherHooks known = hooks;
        List<String> late = LateThreads.since(known == null ? Set.of() : known.alive());
        Runnable halting = tellMaster;
        if (halting != null) {
            halting.run();
        }
        Logs.of(ExitWatch.class)
                .log(
                        System.Logger.Level.WARNING,
                        "FBR-313 This process is killed: its shutdown began " + inSeconds(limitNs)
                                + " ago, and these have not ended: " + inWords(late)
                                + ". Raise shutdown-grace, or make them end sooner.");
        cleanup.remove();
    }

    private static String inSeconds(long ns) {
        long tenths = ns / 100_000_000;
        return tenths % 10 == 0 ? tenths / 10 + " s" : tenths / 10 + "." + tenths % 10 + " s";
    }

    private static String inWords(Collection<String> late) {
        return late.isEmpty() ? "shutdown hooks that this JVM cannot name" : String.join("; ", late);
    }
}
