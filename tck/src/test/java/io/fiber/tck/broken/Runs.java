// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.broken;

import static java.util.Objects.requireNonNull;

import io.fiber.tck.host.RunGroup;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/**
 * Runs of the kit with one bug each, some at a time and in the order of the bugs: nearly all of a run is waiting for what
 * never comes. Used by one thread.
 */
final class Runs<B extends Enum<B>> implements AutoCloseable {

    private final Map<B, Future<Map<String, String>>> failures;
    private final ExecutorService threads;

    /** Begins to run {@code kit} with every bug, {@code beside} of them at one time. */
    Runs(Class<B> bugs, int beside, Function<B, Map<String, String>> kit) {
        failures = new EnumMap<>(bugs);
        threads = Executors.newFixedThreadPool(beside, run -> new Thread(new RunGroup("kit"), run, "kit"));
        for (B bug : bugs.getEnumConstants()) {
            failures.put(bug, threads.submit(() -> kit.apply(bug)));
        }
    }

    /** Waits for the run with a bug and returns the clauses that failed, each with what was said of it. */
    Map<String, String> failures(B bug) throws InterruptedException, ExecutionException {
        return requireNonNull(failures.get(bug), "run").get();
    }

    /** Ends the runs that nobody waits for any more. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
