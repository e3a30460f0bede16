// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.fault;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Kills one process after the other, at random moments, in a thread of its own. The same seed results in the same
 * pauses and positions; what runs at a moment depends on the operating system. Thread-safe.
 */
public final class Killer implements AutoCloseable {

    private final Random random;
    private final Duration meanPause;
    private final Supplier<List<Long>> victims;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread;
    private volatile int kills;

    private Killer(long seed, Duration meanPause, Supplier<List<Long>> victims) {
        this.random = new Random(seed);
        this.meanPause = meanPause;
        this.victims = victims;
        this.thread = new Thread(this::run, "fault-killer-" + seed);
        thread.setDaemon(true);
    }

    /**
     * Starts killing.
     *
     * @param seed seed of the pauses and choices
     * @param meanPause the mean of the pauses between two kills, which are distributed exponentially; greater than zero
     * @param victims returns, at each kill, which processes may be killed; if there is none, that kill is skipped
     * @throws IllegalArgumentException if the pause is not greater than zero
     */
    public static Killer start(long seed, Duration meanPause, Supplier<List<Long>> victims) {
        requireNonNull(victims, "victims");
        if (meanPause.isNegative() || meanPause.isZero()) {
            throw new IllegalArgumentException("meanPause is " + meanPause + "; it must be above zero");
        }
        Killer killer = new Killer(seed, meanPause, victims);
        killer.thread.start();
        return killer;
    }

    /** Returns how many processes it has killed. */
    public int kills() {
        return kills;
    }

    private void run() {
        try {
            while (!closed.await(pauseNs(), TimeUnit.NANOSECONDS)) {
                kill();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private long pauseNs() {
        return (long) (-Math.log(1 - random.nextDouble()) * meanPause.toNanos());
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private void kill() {
        List<Long> candidates = victims.get();
        int choice = random.nextInt(Integer.MAX_VALUE);
        if (!candidates.isEmpty() && Signal.KILL.offer(candidates.get(choice % candidates.size()))) {
            kills++;
        }
    }

    /** Stops killing. Blocks while the last kill is taking place. */
    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
