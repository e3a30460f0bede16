// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Says what a pool waits for: of one that has no worker first after 10 s, then each time after twice as long, when the platform
 * has another reason; of one that has some but not all of them once, after 60 s. Belongs to the conductor.
 */
final class StalledPoolNotifier {

    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long PATIENCE_WITH_SOME_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);

    /** The workers of a pool. */
    interface Workers {
        /** Returns how many are up. */
        int up();

        /** Returns how many were requested and have not ended, those that are up included. */
        int requested();

        /** Returns why jobs wait, in the platform's words: of each that it says something of. */
        List<Reason> reasons();
    }

    /**
     * Why a job waits.
     *
     * @param worker name of the worker that is to run in it
     * @param words the platform's words
     */
    record Reason(String worker, String words) {}

    private final String pool;
    private final Consumer<String> teller;
    private boolean begun;
    private boolean hasSome;
    private long sinceNs;
    private long lookedNs;
    private long patienceNs = PATIENCE_NS;
    private String told = "";

    StalledPoolNotifier(String pool, Consumer<String> teller) {
        this.pool = pool;
        this.teller = teller;
    }

    /** Looks at the workers, at most once a second. */
    void look(Workers workers, long nowNs) {
        if (begun && nowNs - lookedNs < LOOK_NS) {
            return;
        }
        int up = workers.up();
        int requested = workers.requested();
        if (!begun || up >= requested || hasSome != up > 0) {
            begun = true;
            hasSome = up > 0;
            sinceNs = nowNs;
            patienceNs = hasSome ? PATIENCE_WITH_SOME_NS : PATIENCE_NS;
            told = "";
        }
        lookedNs = nowNs;
        if (up < requested && nowNs - sinceNs >= patienceNs) {
            List<Reason> reasons = workers.reasons();
            if (!reasons.isEmpty() && !reasons.get(0).words().equals(told)) {
                long waitedNs = nowNs - sinceNs;
                told = reasons.get(0).words();
                patienceNs = hasSome ? Long.MAX_VALUE : 2 * waitedNs;
                teller.accept((hasSome
                                ? up + " of " + requested + " workers of pool '" + pool + "' are up; of '"
                                : withNone(reasons.size(), waitedNs) + ". Of '")
                        + reasons.get(0).worker() + "' the platform says: " + told);
            }
        }
    }

    private String withNone(int waiting, long waitedNs) {
        return "Pool '" + pool + "' has had no worker for " + TimeUnit.NANOSECONDS.toSeconds(waitedNs) + " s; "
                + waiting + (waiting == 1 ? " job waits" : " jobs wait");
    }
}
