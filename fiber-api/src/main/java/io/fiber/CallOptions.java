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
 * pool.with(CallOptions.defaults().chunkSize(1).maxReruns(0)).map(Model::train, configurations);
 * }</pre>
 *
 * @param chunkSize how many tasks travel to a worker together; at least 1. Chunks that together take less than 0.3 ms share
 *     a message, unless a task may begin once only or has a deadline. Empty: the pool's, which by default adapts to the time
 *     that tasks take
 * @param maxReruns how often a task that had begun on a worker which was lost is run again; 0 or more. Empty: the pool's,
 *     by default 2. With 0 no task runs twice
 * @param resources what the function needs of its machine. Empty: what {@link Meta} or the function itself says
 * @param deadline how long a task may run; above 0. Empty: the pool's, by default as long as it takes
 * @param retry how tasks that throw are tried again. Empty: as the pool has it, by default not at all
 * @param progress the listener that is told how far a call has come. Empty: the pool's, by default none
 */
public record CallOptions(
        OptionalInt chunkSize,
        OptionalInt maxReruns,
        Optional<Resources> resources,
        Optional<Duration> deadline,
        Optional<Retry> retry,
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
        requireNonNull(maxReruns, "maxReruns");
        requireNonNull(resources, "resources");
        requireNonNull(retry, "retry");
        requireNonNull(progress, "progress");
        chunkSize.ifPresent(CallOptions::requireChunkSize);
        maxReruns.ifPresent(CallOptions::requireMaxReruns);
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
        return new CallOptions(OptionalInt.of(tasks), maxReruns, resources, deadline, retry, progress);
    }

    /**
     * Returns a copy that says how often a task that had begun on a worker which was lost is run again. With 0 no task runs
     * twice. What a task throws has nothing to do with it: see {@link #retry}.
     *
     * @param times 0 or more. Default: the setting {@code max-reruns}, which is 2 when nothing is set
     * @throws IllegalArgumentException when it is negative
     */
    public CallOptions maxReruns(int times) {
        return new CallOptions(chunkSize, OptionalInt.of(times), resources, deadline, retry, progress);
    }

    /**
     * Returns a copy whose calls say what their functions need of their machine. A pool whose workers have not been started
     * starts workers of these; one whose workers have other resources refuses the call (FBR-480).
     *
     * @param needed comes before {@link Meta}
     */
    public CallOptions resources(Resources needed) {
        return new CallOptions(chunkSize, maxReruns, Optional.of(needed), deadline, retry, progress);
    }

    /**
     * Returns a copy whose tasks may run no longer than this, counted from the beginning of each. One that does is
     * interrupted; if it takes no notice of that for the grace (setting {@code shutdown-grace}), its worker is ended and
     * replaced. Either way the task fails with {@link TaskTimeoutException} and is not run again; no other task fails for
     * it. The clock is looked at every 10 to 50 ms. Of a task that is tried again ({@link #retry}) all tries together
     * may run this long; the pauses between them do not count.
     *
     * @param time above 0
     * @throws IllegalArgumentException when it is not
     */
    public CallOptions deadline(Duration time) {
        return new CallOptions(chunkSize, maxReruns, resources, Optional.of(time), retry, progress);
    }

    /**
     * Returns a copy whose tasks are tried again when they throw. After the last try the caller gets what that one threw; what
     * the earlier ones threw is {@linkplain Throwable#getSuppressed() suppressed} in it, unless they threw the same. A
     * result that cannot be written and an argument that cannot be read are no failure of the task and are not tried again, and
     * neither is a task that ran longer than its {@link #deadline}.
     *
     * @param how how often and when
     */
    public CallOptions retry(Retry how) {
        return new CallOptions(chunkSize, maxReruns, resources, deadline, Optional.of(how), progress);
    }

    /**
     * Returns a copy whose calls of many tasks tell how far they have come; {@code apply} tells nothing.
     *
     * @param listener stays in this process
     */
    public CallOptions progress(ProgressListener listener) {
        return new CallOptions(chunkSize, maxReruns, resources, deadline, retry, Optional.of(listener));
    }

    private static void requireDeadline(Duration time) {
        if (time.isZero() || time.isNegative()) {
            throw new IllegalArgumentException("FBR-305 deadline is " + time
                    + "; expected more than 0. Leave it out to let tasks take their time.");
        }
    }

    /** Returns these options, and where they say nothing, what {@code others} say. */
    public CallOptions orElse(CallOptions others) {
        return new CallOptions(
                chunkSize.isPresent() ? chunkSize : others.chunkSize,
                maxReruns.isPresent() ? maxReruns : others.maxReruns,
                resources.or(() -> others.resources),
                deadline.or(() -> others.deadline),
                retry.or(() -> others.retry),
                progress.or(() -> others.progress));
    }

    private static void requireChunkSize(int chunkSize) {
        if (chunkSize < 1) {
            throw new IllegalArgumentException(
                    "FBR-305 chunkSize is " + chunkSize + "; expected at least 1. Leave it out to let it adapt.");
        }
    }

    private static void requireMaxReruns(int maxReruns) {
        if (maxReruns < 0) {
            throw new IllegalArgumentException(
                    "FBR-305 maxReruns is " + maxReruns + "; expected 0 or more. 0 means that no task runs twice.");
        }
    }
}
