// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import io.fiber.runtime.pool.PoolSchedule;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Runs the schedules of a row of seeds. Each seed has two: a session with everything, and the pool's machine alone, whose
 * fewer parts can be checked more exactly.
 */
public final class Seeds {

    private final int workers;

    /** Creates schedules of at most so many workers. */
    public Seeds(int workers) {
        this.workers = workers;
    }

    /** Runs {@code count} seeds from {@code first} on; returns the first failure. */
    public Optional<BrokenPromise> run(long first, int count, LongConsumer afterEach) {
        PrintStream err = System.err;
        // A worker that ends says why; here thousands do.
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
        try (LogWatch log = new LogWatch()) {
            for (long seed = first; seed < first + count; seed++) {
                runOne(seed, log);
                afterEach.accept(seed);
            }
            return Optional.empty();
        } catch (BrokenPromise broken) {
            return Optional.of(broken);
        } finally {
            System.setErr(err);
        }
    }

    /** Runs seeds and says what broke; the names are in the JDK's own types, so that another class loader may ask. */
    public static String firstFailure(int count, int workers) {
        return new Seeds(workers)
                .run(1, count, seed -> {})
                .map(broken -> "seed " + broken.seed() + ": " + broken.what())
                .orElse("");
    }

    /** Returns the story of a seed that keeps all promises. */
    public String story(long seed) {
        try (LogWatch log = new LogWatch()) {
            return runOne(seed, log);
        }
    }

    private String runOne(long seed, LogWatch log) {
        try {
            SessionSimulation session = new SessionSimulation(seed, workers, log);
            session.run();
            return session.story() + "\n\nThe pool's machine alone:\n" + PoolSchedule.run(seed);
        } catch (PoolSchedule.Failure failure) {
            throw new BrokenPromise(seed, failure.what(), failure.story(), failure);
        } catch (AssertionError | RuntimeException e) {
            if (e instanceof BrokenPromise broken) {
                throw broken;
            }
            throw new BrokenPromise(seed, e.toString(), "", e);
        }
    }
}
