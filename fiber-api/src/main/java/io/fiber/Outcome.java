// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * The result of one item of a call, or its failure. {@link TaskRunner#outcomes} returns them.
 *
 * <pre>{@code
 * try (Stream<Outcome<Score>> outcomes = pool.outcomes(Model::score, candidates)) {
 *     outcomes.forEach(outcome -> {
 *         if (outcome instanceof Outcome.Failure<Score> failure) {
 *             System.err.println(candidates.get((int) failure.index()) + ": " + failure.exception().getMessage());
 *         } else {
 *             best.offer(outcome.result());
 *         }
 *     });
 * }
 * }</pre>
 *
 * @param <R> type of the result
 */
public sealed interface Outcome<R extends @Nullable Object> {

    /** Returns the position of the item in the input, from 0 on. */
    long index();

    /**
     * Returns the result.
     *
     * @throws FiberException if there is none: the {@linkplain Failure#exception() exception} of the failure, the same
     *     one each time
     */
    R result();

    /**
     * A task that returned.
     *
     * @param <R> type of the result
     * @param index position of the item in the input, from 0 on
     * @param result what the function returned for it
     */
    record Success<R extends @Nullable Object>(long index, R result) implements Outcome<R> {}

    /**
     * A task without a result.
     *
     * @param <R> type of the result
     * @param index position of the item in the input, from 0 on
     * @param exception a {@link RemoteTaskException} if the task threw or its result cannot be serialized, a {@link
     *     WorkerLostException} if it was given up because its workers died, a {@link TaskTimeoutException} if it ran
     *     longer than its deadline, or another {@link FiberException} if its result cannot be read here
     */
    record Failure<R extends @Nullable Object>(long index, FiberException exception) implements Outcome<R> {

        /** Checks that there is an exception. */
        public Failure {
            requireNonNull(exception, "exception");
        }

        @Override
        public R result() {
            throw exception;
        }
    }
}
