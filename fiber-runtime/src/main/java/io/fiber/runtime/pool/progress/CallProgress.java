// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.progress;

import io.fiber.Progress;
import io.fiber.ProgressListener;
import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.platform.SessionThreads;
import io.fiber.runtime.pool.scheduling.CallTitle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Counts what a call was answered and tells listeners of it now and then. The conductor counts; one thread at a time tells;
 * the thread that made the call waits until the end was told.
 */
public final class CallProgress {

    private record News(
            String pool, long call, long done, long failed, OptionalLong total, Duration elapsed, State state)
            implements Progress {}

    private static final long INTERVAL_NS = 100_000_000;
    /** A listener to all calls hears only of those that last this long. */
    private static final long LONG_NS = 2_000_000_000;
    /** A call returns all the same when its listeners take longer over its end. */
    static final long END_LIMIT_NS = 2_000_000_000;

    private final Audience audience;
    private final CallTitle call;
    private final OptionalLong total;
    private final long startNs;
    private final AtomicInteger wanted = new AtomicInteger();
    private final List<ProgressListener> listening = new ArrayList<>();
    private boolean displayed;
    private long toldNs;
    private volatile long answered;
    private volatile long failed;
    private volatile boolean ended;
    private final CountDownLatch endTold = new CountDownLatch(1);

    public CallProgress(Audience audience, CallTitle call, OptionalLong total) {
        this.audience = audience;
        this.call = call;
        this.total = total;
        this.startNs = audience.nanoClock().getAsLong();
        this.toldNs = startNs - INTERVAL_NS;
        audience.own().ifPresent(listening::add);
    }

    /** Counts tasks that were answered, {@code failures} of them by a failure. Called by the conductor, or for recorded results. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // written under the lock alone
    public synchronized void answered(int tasks, int failures) {
        failed += failures;
        answered += tasks;
        long nowNs = audience.nanoClock().getAsLong();
        if (nowNs - toldNs >= INTERVAL_NS) {
            toldNs = nowNs;
            if (isHeard(nowNs)) {
                tell();
            }
        }
    }

    /** Nothing follows. Called by the conductor, once. */
    public void ended() {
        ended = true;
        if (isHeard(audience.nanoClock().getAsLong())) {
            tell();
        } else {
            endTold.countDown();
        }
    }

    /** Tells whether a listener is told of a call that has lasted until now. */
    private boolean isHeard(long nowNs) {
        return audience.own().isPresent() || nowNs - startNs >= LONG_NS;
    }

    /** Waits until the listeners were told the end; not for ever, and not in an interrupted thread. Any thread may call it. */
    public void awaitEndTold() {
        if (!isHeard(audience.nanoClock().getAsLong())) {
            return;
        }
        try {
            if (!endTold.await(END_LIMIT_NS, TimeUnit.NANOSECONDS)) {
                Logs.of(CallProgress.class)
                        .log(
                                System.Logger.Level.DEBUG,
                                "A call of pool '" + call.pool() + "' returned before its progress listener did.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The first thread that asks has it told; what others ask for meanwhile is told by the same thread, in one. */
    private void tell() {
        if (wanted.getAndIncrement() == 0 && !SessionThreads.tryExecute(audience.executor(), this::tellAll)) {
            // There is no thread for it. The next news are told if there is one then; the end is not waited for.
            wanted.set(0);
            if (ended) {
                endTold.countDown();
            }
        }
    }

    private void tellAll() {
        int told;
        do {
            told = wanted.get();
            boolean last = ended;
            try {
                tellNow(last ? Progress.State.ENDED : Progress.State.RUNNING);
            } finally {
                if (last) {
                    endTold.countDown();
                }
            }
        } while (!wanted.compareAndSet(told, 0));
    }

    private void tellNow(Progress.State state) {
        long all = answered;
        long bad = Math.min(failed, all);
        long elapsedNs = audience.nanoClock().getAsLong() - startNs;
        if (!displayed && elapsedNs >= LONG_NS) {
            displayed = true;
            listening.addAll(audience.displays().listeners());
        }
        Progress news = new News(call.pool(), call.number(), all - bad, bad, total, Duration.ofNanos(elapsedNs), state);
        listening.removeIf(listener -> !isTold(listener, news));
    }

    private boolean isTold(ProgressListener listener, Progress news) {
        try {
            listener.onProgress(news);
            return true;
        } catch (RuntimeException | Error e) {
            Logs.of(CallProgress.class)
                    .log(
                            System.Logger.Level.WARNING,
                            "FBR-484 The progress listener "
                                    + listener.getClass().getName()
                                    + " threw an exception and gets no more progress of this call of pool"
                                    + " '" + call.pool() + "'.",
                            e);
            return false;
        }
    }

    /** What listens: the call's own listener, and displays, which hear of every long call. */
    public record Audience(
            Optional<ProgressListener> own, Displays displays, Executor executor, LongSupplier nanoClock) {}
}
