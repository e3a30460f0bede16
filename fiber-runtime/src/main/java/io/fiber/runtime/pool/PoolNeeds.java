// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.FiberException;
import io.fiber.runtime.serialization.functions.FunctionResources;
import io.fiber.spec.Resources;
import io.fiber.spi.backend.JobSpec;
import org.jspecify.annotations.Nullable;

/**
 * What the workers of a pool are given: what its builder said, or else what the first function needs. It is settled once,
 * before the first worker is started, and for this pool alone. Thread-safe.
 */
final class PoolNeeds {

    private final String pool;
    private final Pools.Specs specs;
    private final Resources ofPool;
    private int mostWorkers;
    private @Nullable FunctionResources settled;
    private volatile @Nullable JobSpec spec;

    /** Creates the needs of a pool; when its builder said nothing, the first function decides. */
    PoolNeeds(String pool, int mostWorkers, Resources ofPool, Pools.Specs specs) {
        this.pool = pool;
        this.mostWorkers = mostWorkers;
        this.specs = specs;
        this.ofPool = ofPool;
        if (!ofPool.isUnspecified()) {
            settle(new FunctionResources(ofPool, "resources(...) of the pool"));
        }
    }

    /**
     * Settles the needs, if they are not settled, and checks that a function can run here. One that says nothing runs
     * anywhere.
     *
     * @throws FiberException FBR-480 when the workers have other resources than it needs
     */
    void require(FunctionResources needs) {
        if (ofPool.isUnspecified()) {
            needs.decided();
        }
        FunctionResources ours = settle(needs);
        if (!needs.resources().isUnspecified() && !needs.resources().equals(ours.resources())) {
            throw new FiberException(
                    "FBR-480",
                    "Pool '" + pool + "' cannot run a function that needs " + needs.resources() + " (from "
                            + needs.origin() + "): its workers were started " + startedWith(ours)
                            + ". Make another pool for this function.");
        }
    }

    private static String startedWith(FunctionResources ours) {
        return ours.resources().isUnspecified()
                ? "before a function had asked for resources"
                : "with " + ours.resources() + " (from " + ours.origin() + ")";
    }

    /** Settles that nothing is needed, if nothing is settled: workers start before there is a function. */
    void requireNothing() {
        settle(new FunctionResources(Resources.unspecified(), "the start of the workers"));
    }

    /** Returns what each worker runs; known from the first start on. */
    JobSpec spec() {
        JobSpec known = spec;
        if (known == null) {
            throw new IllegalStateException("Workers are started before it is known what they need.");
        }
        return known;
    }

    /** Counts on this many workers from now on; those that are already started stay as they are. */
    synchronized void resize(int workers) {
        mostWorkers = workers;
        if (settled != null) {
            spec = specs.of(settled.resources(), workers);
        }
    }

    /** Returns how many workers the pool may have. */
    synchronized int mostWorkers() {
        return mostWorkers;
    }

    private synchronized FunctionResources settle(FunctionResources needs) {
        FunctionResources known = settled;
        if (known == null) {
            spec = specs.of(needs.resources(), mostWorkers);
            settled = needs;
            return needs;
        }
        return known;
    }
}
