// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Says what a pool waits for that has no worker: first after 15 s, as Apache Spark does of a job that got no resources, then
 * each time after twice as long, when the platform has another reason. Belongs to the conductor.
 */
final class StalledPoolNotifier {

    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(15);
    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);

    /** The workers of a pool. */
    interface Workers {
        /** Tells whether workers were requested and none has come up. */
        boolean isAwaited();

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
        boolean awaited = workers.isAwaited();
        if (!begun || !awaited) {
            begun = true;
            sinceNs = nowNs;
            patienceNs = PATIENCE_NS;
            told = "";
        }
        lookedNs = nowNs;
        if (awaited && nowNs - sinceNs >= patienceNs) {
            List<Reason> reasons = workers.reasons();
            if (!reasons.isEmpty() && !reasons.get(0).words().equals(told)) {
                tell(reasons.get(0), reasons.size(), nowNs);
            }
        }
    }

    private void tell(Reason reason, int waiting, long nowNs) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(nowNs - sinceNs);
        teller.accept("Pool '" + pool + "' has had no worker for " + seconds + " s; " + waiting
                + (waiting == 1 ? " job waits" : " jobs wait") + ". Of '" + reason.worker() + "' the platform says: "
                + reason.words());
        told = reason.words();
        patienceNs = 2 * (nowNs - sinceNs);
    }
}
