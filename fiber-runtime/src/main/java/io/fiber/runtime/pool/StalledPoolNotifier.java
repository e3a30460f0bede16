// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Says what a pool waits for: of one that has no worker first after 10 s, then each time after twice as long, when the platform
 * has another reason; of one that has some but not all of them once, after 60 s. Belongs to the conductor.
 */
final class StalledPoolNotifier {

    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long PATIENCE_WITH_SOME_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);

    private final String pool;
    private final Supplier<Map<String, String>> reasons;
    private final Consumer<String> teller;
    private boolean begun;
    private boolean hasSome;
    private long sinceNs;
    private long lookedNs;
    private long patienceNs = PATIENCE_NS;
    private String told = "";

    /** Creates a notifier; {@code reasons} are why jobs have not begun to run, by the names of their workers. */
    StalledPoolNotifier(String pool, Supplier<Map<String, String>> reasons, Consumer<String> teller) {
        this.pool = pool;
        this.reasons = reasons;
        this.teller = teller;
    }

    /** Looks at the workers, at most once a second: how many are up, of how many that were requested. */
    void look(int up, int requested, long nowNs) {
        if (begun && nowNs - lookedNs < LOOK_NS) {
            return;
        }
        if (!begun || up >= requested || hasSome != up > 0) {
            begun = true;
            hasSome = up > 0;
            sinceNs = nowNs;
            patienceNs = hasSome ? PATIENCE_WITH_SOME_NS : PATIENCE_NS;
            told = "";
        }
        lookedNs = nowNs;
        if (up < requested && nowNs - sinceNs >= patienceNs) {
            tell(up, requested, nowNs - sinceNs);
        }
    }

    private void tell(int up, int requested, long waitedNs) {
        Map<String, String> waiting = reasons.get();
        if (waiting.isEmpty()) {
            return;
        }
        Map.Entry<String, String> first = waiting.entrySet().iterator().next();
        if (!first.getValue().equals(told)) {
            told = first.getValue();
            patienceNs = hasSome ? Long.MAX_VALUE : 2 * waitedNs;
            teller.accept((hasSome
                            ? up + " of " + requested + " workers of pool '" + pool
                                    + "' are up; the platform says about '"
                            : withNone(waiting.size(), waitedNs) + ". The platform says about '")
                    + first.getKey() + "': " + told);
        }
    }

    private String withNone(int waiting, long waitedNs) {
        return "Pool '" + pool + "' has had no worker for " + TimeUnit.NANOSECONDS.toSeconds(waitedNs) + " s; "
                + waiting + (waiting == 1 ? " job waits" : " jobs wait");
    }
}
