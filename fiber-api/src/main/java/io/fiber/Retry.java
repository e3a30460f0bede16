// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static java.util.Objects.requireNonNull;

import io.fiber.function.SerializablePredicate;
import java.time.Duration;
import java.util.List;

/**
 * How tasks that throw are tried again: how often, how long after, and after which exceptions. Immutable.
 *
 * <pre>{@code
 * pool.with(CallOptions.defaults()
 *                 .retry(Retry.times(5).backOff(Duration.ofMillis(100)).on(IOException.class)))
 *         .map(Download::fetch, addresses);
 * }</pre>
 *
 * <p>A task that failed waits in the caller's process, not at a worker, so that workers run others meanwhile. Each pause is
 * twice as long as the one before it, and shorter than that by a part of up to a half which depends on the task alone.
 *
 * <p>This is about what a task throws. How often it is run again when its worker is lost, is
 * {@link CallOptions#maxReruns(int)}.
 *
 * @param times how often a task is tried again; 0 to 1,000
 * @param first the pause before the second try; 0 or more
 * @param greatest what pauses do not grow beyond; not less than {@code first}
 * @param when after which exceptions; asked at the worker
 */
public record Retry(int times, Duration first, Duration greatest, SerializablePredicate<? super Throwable> when) {

    private static final int GREATEST_TIMES = 1_000;
    private static final Duration GREATEST_PAUSE = Duration.ofSeconds(30);

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException when a value is out of its range
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
     * @param times how often a task is tried again; 0 to 1,000
     * @throws IllegalArgumentException when it is not
     */
    public static Retry times(int times) {
        return new Retry(times, Duration.ZERO, Duration.ZERO, Which.ANY);
    }

    /**
     * Returns a copy with pauses that double, up to 30 s.
     *
     * @param first the pause before the second try; 0 or more
     * @throws IllegalArgumentException when it is less
     */
    public Retry backOff(Duration first) {
        return backOff(first, first.compareTo(GREATEST_PAUSE) > 0 ? first : GREATEST_PAUSE);
    }

    /**
     * Returns a copy with pauses that double.
     *
     * @param first the pause before the second try; 0 or more
     * @param greatest what pauses do not grow beyond
     * @throws IllegalArgumentException when it is less than {@code first}
     */
    public Retry backOff(Duration first, Duration greatest) {
        return new Retry(times, first, greatest, when);
    }

    /**
     * Returns a copy for exceptions of these types alone, and of types that extend them.
     *
     * @param types at least one
     * @throws IllegalArgumentException when there is none
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // it is copied
    public final Retry on(Class<? extends Throwable>... types) {
        if (types.length == 0) {
            throw new IllegalArgumentException("FBR-305 No type of exception is given; expected at least one.");
        }
        return when(new OfTypes(List.of(types)));
    }

    /**
     * Returns a copy for the exceptions that a test accepts. It runs at the worker, on the exception that the task has
     * thrown; when it throws itself, the task is not tried again.
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
