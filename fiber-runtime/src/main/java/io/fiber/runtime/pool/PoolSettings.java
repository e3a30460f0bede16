// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.CallOptions;
import io.fiber.function.RemoteRunnable;
import io.fiber.spi.backend.JobSpec;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a {@link io.fiber.PoolBuilder} was told, checked; the runtime makes a pool out of it. Immutable.
 *
 * @param name the pool's name; empty lets the runtime number it
 */
public record PoolSettings(
        Optional<String> name,
        int workers,
        int threadsPerWorker,
        Optional<Adaptive> adaptive,
        JobSpec job,
        Optional<RemoteRunnable> initializer,
        OptionalInt maxTasksPerWorker,
        CallOptions options,
        Start start) {

    /** The greatest number of task threads of one worker. */
    public static final int GREATEST_THREADS = 1024;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException when a value is out of its range
     */
    public PoolSettings {
        requireWorkers(workers);
        if (threadsPerWorker < 1 || threadsPerWorker > GREATEST_THREADS) {
            throw new IllegalArgumentException("FBR-305 threadsPerWorker is " + threadsPerWorker + "; expected 1 to "
                    + GREATEST_THREADS + ". Leave it out for one task at a time in each worker.");
        }
        if (adaptive.isPresent()
                && (workers < adaptive.get().min() || workers > adaptive.get().max())) {
            throw new IllegalArgumentException("FBR-305 workers is " + workers + "; expected a number from "
                    + adaptive.get().min() + " to " + adaptive.get().max() + ", the range of adaptive.");
        }
        if (maxTasksPerWorker.isPresent() && maxTasksPerWorker.getAsInt() < 1) {
            throw new IllegalArgumentException("FBR-305 maxTasksPerWorker is " + maxTasksPerWorker.getAsInt()
                    + "; expected at least 1. Leave it out for no limit.");
        }
    }

    /** Returns how many workers there may be, unless the pool is resized. */
    public int mostWorkers() {
        return adaptive.isPresent() ? adaptive.get().max() : workers;
    }

    /**
     * Checks how many workers a pool shall have.
     *
     * @throws IllegalArgumentException when it is less than 1
     */
    public static void requireWorkers(int workers) {
        if (workers < 1) {
            throw new IllegalArgumentException(
                    "FBR-305 workers is " + workers + "; expected at least 1, for example pool(4).");
        }
    }

    /** When a pool starts its workers. */
    public enum Start {
        /** As soon as the pool is made. */
        AT_ONCE,
        /** When the first task is submitted or a caller waits for the workers. */
        WITH_FIRST_TASK
    }

    /** Between which numbers of workers a pool keeps, and after how long without work one goes. */
    public record Adaptive(int min, int max, Duration idle) {
        /**
         * Checks the values.
         *
         * @throws IllegalArgumentException when a value is out of its range
         */
        public Adaptive {
            if (min < 0 || max < 1 || min > max) {
                throw new IllegalArgumentException("FBR-305 adaptive is from " + min + " to " + max
                        + "; expected a minimum of 0 or more, and a maximum of 1 or more that is not below it.");
            }
            if (idle.isZero() || idle.isNegative()) {
                throw new IllegalArgumentException("FBR-305 idle is " + idle + "; expected more than 0.");
            }
        }
    }
}
