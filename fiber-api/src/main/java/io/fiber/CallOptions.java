// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static java.util.Objects.requireNonNull;

import io.fiber.spi.Resources;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How the calls of a {@linkplain Pool#with view of a pool} run. What is empty is as the pool has it.
 *
 * <pre>{@code
 * pool.with(CallOptions.defaults().chunkSize(1).retries(0)).map(Model::train, configurations);
 * }</pre>
 *
 * @param chunkSize how many tasks travel to a worker together; at least 1. Chunks that together take less than 0.3 ms share
 *     a message, unless a task may begin once only or has a deadline. Empty: the pool's, which by default adapts to the time
 *     that tasks take
 * @param retries how often a task that had begun on a worker which was lost is run again; 0 or more. Empty: the pool's,
 *     by default 2. With 0 no task runs twice
 * @param resources what the function needs of its machine. Empty: what {@link Meta} or the function itself says
 * @param deadline how long a task may run; above 0. Empty: as long as it takes
 * @param retryFailed how tasks that throw are tried again. Empty: as the pool has it, by default not at all
 * @param progress the listener that is told how far a call has come. Empty: the pool's, by default none
 */
public record CallOptions(
        OptionalInt chunkSize,
        OptionalInt retries,
        Optional<Resources> resources,
        Optional<Duration> deadline,
        Optional<Retry> retryFailed,
        Optional<ProgressListener> progress) {

    private static final CallOptions DEFAULTS = new CallOptions(
            OptionalInt.empty(),
            OptionalInt.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException when a value is out of its range
     */
    public CallOptions {
        requireNonNull(chunkSize, "chunkSize");
        requireNonNull(retries, "retries");
        requireNonNull(resources, "resources");
        requireNonNull(retryFailed, "retryFailed");
        requireNonNull(progress, "progress");
        chunkSize.ifPresent(CallOptions::requireChunkSize);
        retries.ifPresent(CallOptions::requireRetries);
        deadline.ifPresent(CallOptions::requireDeadline);
    }

    /** Returns options of which none is set. */
    public static CallOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Returns a copy with a fixed chunk size.
     *
     * @param tasks how many tasks travel together; at least 1
     * @throws IllegalArgumentException when it is less
     */
    public CallOptions chunkSize(int tasks) {
        return new CallOptions(OptionalInt.of(tasks), retries, resources, deadline, retryFailed, progress);
    }

    /**
     * Returns a copy with this many retries after the loss of a worker. What a task throws has nothing to do with it: see
     * {@link #retryFailed}.
     *
     * @param times how often a task whose worker was lost is run again; 0 or more
     * @throws IllegalArgumentException when it is negative
     */
    public CallOptions retries(int times) {
        return new CallOptions(chunkSize, OptionalInt.of(times), resources, deadline, retryFailed, progress);
    }

    /**
     * Returns a copy whose calls say what their functions need of their machine. A pool whose workers have not been started
     * starts workers of these; one whose workers have other resources refuses the call (FBR-480).
     *
     * @param needed comes before {@link Meta}
     */
    public CallOptions resources(Resources needed) {
        return new CallOptions(chunkSize, retries, Optional.of(needed), deadline, retryFailed, progress);
    }

    /**
     * Returns a copy whose tasks may run no longer than this, counted from the beginning of each. One that does is
     * interrupted; if it takes no notice of that for the grace (setting {@code shutdown-grace}), its worker is ended and
     * replaced. Either way the task fails with {@link TaskOverdueException} and is not run again; no other task fails for
     * it. The clock is looked at every 10 to 50 ms. Of a task that is tried again ({@link #retryFailed}) all tries together
     * may run this long; the pauses between them do not count.
     *
     * @param time above 0
     * @throws IllegalArgumentException when it is not
     */
    public CallOptions deadline(Duration time) {
        return new CallOptions(chunkSize, retries, resources, Optional.of(time), retryFailed, progress);
    }

    /**
     * Returns a copy whose tasks are tried again when they throw. After the last try the caller gets what that one threw; what
     * the earlier ones threw is {@linkplain Throwable#getSuppressed() suppressed} in it. A result that cannot be written and an
     * argument that cannot be read are no failure of the task and are not tried again, and neither is a task that ran longer
     * than its {@link #deadline}.
     *
     * @param how how often and when
     */
    public CallOptions retryFailed(Retry how) {
        return new CallOptions(chunkSize, retries, resources, deadline, Optional.of(how), progress);
    }

    /**
     * Returns a copy whose calls of many tasks tell how far they have come; {@code apply} tells nothing.
     *
     * @param listener stays in this process
     */
    public CallOptions progress(ProgressListener listener) {
        return new CallOptions(chunkSize, retries, resources, deadline, retryFailed, Optional.of(listener));
    }

    private static void requireDeadline(Duration time) {
        if (time.isZero() || time.isNegative()) {
            throw new IllegalArgumentException(
                    "deadline is " + time + "; expected more than 0. Leave it out to let tasks take their time.");
        }
    }

    /** Returns these options, and where they say nothing, what {@code others} say. */
    public CallOptions orElse(CallOptions others) {
        return new CallOptions(
                chunkSize.isPresent() ? chunkSize : others.chunkSize,
                retries.isPresent() ? retries : others.retries,
                resources.or(() -> others.resources),
                deadline.or(() -> others.deadline),
                retryFailed.or(() -> others.retryFailed),
                progress.or(() -> others.progress));
    }

    private static void requireChunkSize(int chunkSize) {
        if (chunkSize < 1) {
            throw new IllegalArgumentException(
                    "chunkSize is " + chunkSize + "; expected at least 1. Leave it out to let it adapt.");
        }
    }

    private static void requireRetries(int retries) {
        if (retries < 0) {
            throw new IllegalArgumentException(
                    "retries is " + retries + "; expected 0 or more. 0 means that no task runs twice.");
        }
    }
}
