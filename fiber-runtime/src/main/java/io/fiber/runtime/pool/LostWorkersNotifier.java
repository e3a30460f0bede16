// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.runtime.pool.scheduling.Loss;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells of workers that a pool has lost: of the first one at once, of those that follow together, after 10 s and then after
 * twice as long each time. After a minute without a loss it begins anew. Belongs to the conductor.
 */
final class LostWorkersNotifier {

    private static final long FIRST_PAUSE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(60);

    private final String pool;
    private final Consumer<String> teller;
    private long pauseNs;
    private long toldNs;
    private long lostNs;
    private int untold;
    private long itemsAgain;
    private long itemsFailed;
    private @Nullable Loss last;

    LostWorkersNotifier(String pool, Consumer<String> teller) {
        this.pool = pool;
        this.teller = teller;
    }

    /** A worker was lost: this many of its items are sent to others, and this many fail. */
    void lost(Loss loss, long again, long failed, long nowNs) {
        if (pauseNs > 0 && nowNs - lostNs >= QUIET_NS) {
            tellRest(nowNs);
            pauseNs = 0;
        }
        lostNs = nowNs;
        last = loss;
        untold++;
        itemsAgain += again;
        itemsFailed += failed;
        look(nowNs);
    }

    /** Tells what is to be told by now. */
    void look(long nowNs) {
        if (untold > 0 && (pauseNs == 0 || nowNs - toldNs >= pauseNs)) {
            tellRest(nowNs);
        }
    }

    /** Tells what was not told yet: the pool has ended, or losses have become rare. */
    void tellRest(long nowNs) {
        Loss loss = last;
        if (untold == 0 || loss == null) {
            return;
        }
        String who = loss.toString();
        String which = pauseNs == 0
                ? "lost " + who
                : "lost " + untold + (untold == 1 ? " more worker: " : " more workers, the last one was ") + who;
        teller.accept("FBR-490 Pool '" + pool + "' " + which + (which.endsWith(".") ? " " : ". ") + tasks());
        pauseNs = pauseNs == 0 ? FIRST_PAUSE_NS : 2 * pauseNs;
        toldNs = nowNs;
        untold = 0;
        itemsAgain = 0;
        itemsFailed = 0;
    }

    private String tasks() {
        String whose = untold == 1 ? " of its tasks" : " of their tasks";
        String again = itemsAgain == 0
                ? ""
                : itemsAgain + whose + (itemsAgain == 1 ? " goes to another worker." : " go to other workers.");
        String failed = itemsFailed == 0 ? "" : itemsFailed + whose + (itemsFailed == 1 ? " fails." : " fail.");
        if (again.isEmpty() && failed.isEmpty()) {
            return untold == 1 ? "It had no task." : "They had no task.";
        }
        return again + (again.isEmpty() || failed.isEmpty() ? "" : " ") + failed;
    }

    /** Returns whether there is something that time alone lets it tell. */
    boolean isTimed() {
        return untold > 0;
    }
}
