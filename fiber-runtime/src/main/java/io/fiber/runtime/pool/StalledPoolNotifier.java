// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import java.util.Optional;
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
    void look(WorkerRegistry registry, PoolEffects effects, long nowNs) {
        if (begun && nowNs - lookedNs < LOOK_NS) {
            return;
        }
        int up = registry.up;
        int requested = registry.size();
        if (!begun || up >= requested || hasSome != up > 0) {
            begun = true;
            hasSome = up > 0;
            sinceNs = nowNs;
            patienceNs = hasSome ? PATIENCE_WITH_SOME_NS : PATIENCE_NS;
            told = "";
        }
        lookedNs = nowNs;
        if (up < requested && nowNs - sinceNs >= patienceNs) {
            String worker = "";
            String words = "";
            int waiting = 0;
            for (WorkerSlot slot : registry.all()) {
                Optional<String> reason = effects.waitsFor(slot.worker);
                if (reason.isPresent() && waiting++ == 0) {
                    worker = effects.title(slot.worker).name();
                    words = reason.get();
                }
            }
            if (waiting > 0 && !words.equals(told)) {
                long waitedNs = nowNs - sinceNs;
                told = words;
                patienceNs = hasSome ? Long.MAX_VALUE : 2 * waitedNs;
                teller.accept((hasSome
                                ? up + " of " + requested + " workers of pool '" + pool + "' are up; the platform says"
                                        + " about '"
                                : withNone(waiting, waitedNs) + ". The platform says about '")
                        + worker + "': " + told);
            }
        }
    }

    private String withNone(int waiting, long waitedNs) {
        return "Pool '" + pool + "' has had no worker for " + TimeUnit.NANOSECONDS.toSeconds(waitedNs) + " s; "
                + waiting + (waiting == 1 ? " job waits" : " jobs wait");
    }
}
