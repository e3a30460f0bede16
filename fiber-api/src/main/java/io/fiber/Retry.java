// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static java.util.Objects.requireNonNull;

import io.fiber.function.SerializablePredicate;
import java.time.Duration;
import java.util.List;

/**
 * How tasks that throw are retried: how often, after which pause, and after which exceptions. Immutable.
 *
 * <pre>{@code
 * pool.with(CallOptions.defaults()
 *                 .retry(Retry.times(5).backOff(Duration.ofMillis(100)).on(IOException.class)))
 *         .map(Download::fetch, addresses);
 * }</pre>
 *
 * <p>A failed task waits in the caller's process, so that workers can run other tasks meanwhile. Each pause is twice as
 * long as the one before. It is then shortened by up to a half, by a fraction that depends only on the task.
 *
 * <p>This is about tasks that throw. {@link CallOptions#maxReruns(int)} limits how many times a task runs again if its
 * worker is lost.
 */
public final class Retry {

    private static final int MOST_TIMES = 1_000;
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final int times;
    private final Duration firstPause;
    private final Duration longestPause;
    private final SerializablePredicate<? super Throwable> when;

    private Retry(
            int times, Duration firstPause, Duration longestPause, SerializablePredicate<? super Throwable> when) {
        if (times < 0 || times > MOST_TIMES) {
            throw new IllegalArgumentException("FBR-305 times is " + times + "; expected 0 to " + MOST_TIMES
                    + ". 0 means that no task is tried again.");
        }
        if (firstPause.isNegative()) {
            throw new IllegalArgumentException("FBR-305 The first pause is " + firstPause + "; expected 0 or more.");
        }
        if (longestPause.compareTo(firstPause) < 0) {
            throw new IllegalArgumentException("FBR-305 The longest pause is " + longestPause
                    + "; expected at least the first one, which is " + firstPause + ".");
        }
        this.times = times;
        this.firstPause = firstPause;
        this.longestPause = longestPause;
        this.when = requireNonNull(when, "when");
    }

    /**
     * Returns a retry after any exception, without a pause.
     *
     * @param times how many times a task is retried; 0 to 1,000
     * @throws IllegalArgumentException if {@code times} is out of range
     */
    public static Retry times(int times) {
        return new Retry(times, Duration.ZERO, Duration.ZERO, Which.ANY);
    }

    /**
     * Returns a copy with pauses that double, up to 30 s.
     *
     * @param firstPause the pause before the second attempt; 0 or more
     * @throws IllegalArgumentException if {@code firstPause} is negative
     */
    public Retry backOff(Duration firstPause) {
        return backOff(firstPause, firstPause.compareTo(LONGEST_PAUSE) > 0 ? firstPause : LONGEST_PAUSE);
    }

    /**
     * Returns a copy with pauses that double, up to a limit.
     *
     * @param firstPause the pause before the second attempt; 0 or more
     * @param longestPause the longest pause
     * @throws IllegalArgumentException if {@code longestPause} is less than {@code firstPause}
     */
    public Retry backOff(Duration firstPause, Duration longestPause) {
        return new Retry(times, firstPause, longestPause, when);
    }

    /**
     * Returns a copy that retries only after exceptions of these types and their subtypes.
     *
     * @param types at least one
     * @throws IllegalArgumentException if there is none
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is copied
    public final Retry on(Class<? extends Throwable>... types) {
        if (types.length == 0) {
            throw new IllegalArgumentException("FBR-305 No type of exception is given; expected at least one.");
        }
        return when(new OfTypes(List.of(types)));
    }

    /**
     * Returns a copy that retries only after exceptions that a test accepts, in place of those of {@link #on}. The test
     * runs in the worker, on the exception that the task has thrown. If the test itself throws, the task is not
     * retried.
     *
     * @param test what it captures must be serializable
     */
    public Retry when(SerializablePredicate<? super Throwable> test) {
        return new Retry(times, firstPause, longestPause, test);
    }

    /** Returns how many times a task is retried; 0 to 1,000. */
    public int times() {
        return times;
    }

    /** Returns the pause before the second attempt; 0 or more. */
    public Duration firstPause() {
        return firstPause;
    }

    /** Returns the longest pause. */
    public Duration longestPause() {
        return longestPause;
    }

    /** Returns the test of the exceptions after which to retry. */
    public SerializablePredicate<? super Throwable> when() {
        return when;
    }

    @Override
    public String toString() {
        return "Retry[times=" + times + ", firstPause=" + firstPause + ", longestPause=" + longestPause + "]";
    }

    private enum Which implements SerializablePredicate<Throwable> {
        ANY;

        @Override
        public boolean test(Throwable thrown) {
            return true;
        }
    }

    private record OfTypes(List<Class<? extends Throwable>> types) implements SerializablePredicate<Throwable> {
        @Override
        public boolean test(Throwable thrown) {
            return types.stream().anyMatch(type -> type.isInstance(thrown));
        }
    }
}
