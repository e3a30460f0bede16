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
 *
 * @param times how many times a task is retried; 0 to 1,000
 * @param first the pause before the second attempt; 0 or more
 * @param greatest the longest pause; not less than {@code first}
 * @param when accepts the exceptions after which to retry; it runs in the worker
 */
public record Retry(int times, Duration first, Duration greatest, SerializablePredicate<? super Throwable> when) {

    private static final int GREATEST_TIMES = 1_000;
    private static final Duration GREATEST_PAUSE = Duration.ofSeconds(30);

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if a value is out of range
     */
    public Retry {
        requireNonNull(when, "when");
        if (times < 0 || times > GREATEST_TIMES) {
            throw new IllegalArgumentException("FBR-305 times is " + times + "; expected 0 to " + GREATEST_TIMES
                    + ". 0 means that no task is tried again.");
        }
        if (first.isNegative()) {
            throw new IllegalArgumentException("FBR-305 The first pause is " + first + "; expected 0 or more.");
        }
        if (greatest.compareTo(first) < 0) {
            throw new IllegalArgumentException("FBR-305 The greatest pause is " + greatest
                    + "; expected at least the first one, which is " + first + ".");
        }
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
     * @param first the pause before the second attempt; 0 or more
     * @throws IllegalArgumentException if {@code first} is negative
     */
    public Retry backOff(Duration first) {
        return backOff(first, first.compareTo(GREATEST_PAUSE) > 0 ? first : GREATEST_PAUSE);
    }

    /**
     * Returns a copy with pauses that double, up to a limit.
     *
     * @param first the pause before the second attempt; 0 or more
     * @param greatest the longest pause
     * @throws IllegalArgumentException if {@code greatest} is less than {@code first}
     */
    public Retry backOff(Duration first, Duration greatest) {
        return new Retry(times, first, greatest, when);
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
     * Returns a copy that retries only after exceptions that a test accepts. The test runs in the worker, on the
     * exception that the task has thrown. If the test itself throws, the task is not retried.
     *
     * @param test what it captures must be serializable
     */
    public Retry when(SerializablePredicate<? super Throwable> test) {
        return new Retry(times, first, greatest, test);
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
