// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import io.fiber.runtime.pool.scheduling.PoolSchedule;
import io.fiber.runtime.simulation.World.Memory;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Iterator;
import java.util.Optional;

/**
 * Runs the schedules of seeds. Each seed has three: a session with everything of a pool; the pool's machine alone, whose fewer
 * parts can be checked more exactly; and processes that share a queue and a lock. Several threads may run different seeds.
 */
public final class Seeds implements AutoCloseable {

    /**
     * How often a mutant may go through its loops in one seed. Sound classes did so at most 1,302,188 times in 2,000 seeds. A
     * loop that never ends keeps what it makes, so a much larger bound would fill the memory first.
     */
    private static final long GREATEST_LOOPS = 3_000_000;

    /** Each mutant has a class loader, and so a count, of its own, and one thread. */
    private static long loops;

    private final int workers;
    private final LogWatch log = new LogWatch();
    private final PrintStream err = System.err;

    /** Creates schedules of at most so many workers. Until it is closed nothing is printed on standard error. */
    public Seeds(int workers) {
        this.workers = workers;
        // A worker that ends says why; here thousands do.
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
    }

    /**
     * What became of a seed.
     *
     * @param workers how many workers its session had
     * @param broken what it broke, with its story
     */
    record Outcome(int workers, Optional<BrokenPromise> broken) {}

    /** Runs a seed; one that breaks a promise is run again for its story. */
    Outcome run(long seed) {
        SessionSimulation session = session(seed, Memory.NONE);
        try {
            runAll(seed, session, Memory.NONE);
            return new Outcome(session.workers(), Optional.empty());
        } catch (BrokenPromise first) {
            return new Outcome(session.workers(), Optional.of(again(first)));
        } catch (RuntimeException | Error e) {
            // Not left to the thread, which would end with the other seeds undone.
            return new Outcome(session.workers(), Optional.of(new BrokenPromise(seed, "it ended with " + e, "", e)));
        }
    }

    private BrokenPromise again(BrokenPromise first) {
        try {
            runAll(first.seed(), session(first.seed(), Memory.STORY), Memory.STORY);
        } catch (BrokenPromise broken) {
            return broken;
        }
        return new BrokenPromise(first.seed(), first.what() + " (and not when it was run again)", "", first);
    }

    /** Runs {@code count} seeds from {@code first} on and says what broke; with the JDK's own types, so that another class loader may ask. */
    public static String firstFailure(long first, int count, int workers) {
        try (Seeds seeds = new Seeds(workers)) {
            for (long seed = first; seed < first + count; seed++) {
                loops = 0;
                seeds.runAll(seed, seeds.session(seed, Memory.NONE), Memory.NONE);
            }
            return "";
        } catch (BrokenPromise broken) {
            return "seed " + broken.seed() + ": " + broken.what();
        }
    }

    /** Called in each loop of a mutant. Throws an error if a bug has made a loop endless, before it fills the memory. */
    public static void inLoop() {
        if (++loops > GREATEST_LOOPS) {
            throw new AssertionError("it does not end");
        }
    }

    /** Called in the place of an iterator's {@code next} by a mutant. */
    public static Object last(Iterator<?> each) {
        Object last = each.next();
        while (each.hasNext()) {
            last = each.next();
        }
        return last;
    }

    /** Returns the story of a seed that keeps all promises. */
    public String story(long seed) {
        SessionSimulation session = session(seed, Memory.STORY);
        String others = runAll(seed, session, Memory.STORY);
        return session.story() + others;
    }

    private SessionSimulation session(long seed, Memory memory) {
        return new SessionSimulation(new World(seed, memory), workers, log);
    }

    /** Returns the stories of the schedules that are no session. */
    private String runAll(long seed, SessionSimulation session, Memory memory) {
        try {
            session.run();
            SharedSimulation shared = new SharedSimulation(new World(seed, memory), log);
            shared.run();
            return "\n\nA queue and a lock:\n" + shared.story() + "\n\nThe pool's machine alone:\n"
                    + PoolSchedule.run(seed, memory);
        } catch (PoolSchedule.Failure failure) {
            throw new BrokenPromise(seed, failure.what(), failure.story(), failure);
        } catch (AssertionError | RuntimeException e) {
            if (e instanceof BrokenPromise broken) {
                throw broken;
            }
            throw new BrokenPromise(seed, e.toString(), "", e);
        }
    }

    @Override
    public void close() {
        log.close();
        System.setErr(err);
    }
}
