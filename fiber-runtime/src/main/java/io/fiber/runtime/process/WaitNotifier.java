// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.ProcessState;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Says why the jobs of one start wait: after 10 s, and each time after twice as long if the platform then gives another
 * reason. Pools say this for all their workers, so it is used for the starts of processes, managers and rings. Belongs to
 * the conductor.
 */
final class WaitNotifier {

    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

    private final List<RemoteWorker> started;
    private final long sinceNs;
    private final Consumer<String> log;
    private long patienceNs = PATIENCE_NS;
    private String told = "";

    WaitNotifier(List<RemoteWorker> started, long nowNs, Consumer<String> log) {
        this.started = started;
        this.sinceNs = nowNs;
        this.log = log;
    }

    /** Looks whether jobs wait. Returns false if none will wait any more. */
    boolean look(long nowNs) {
        long waitedNs = nowNs - sinceNs;
        if (waitedNs < patienceNs) {
            return true;
        }
        List<RemoteWorker> waiting = started.stream()
                .filter(worker -> worker.state() == ProcessState.SUBMITTED)
                .toList();
        waiting.stream()
                .filter(worker -> worker.waitsFor().isPresent())
                .findFirst()
                .ifPresent(first -> {
                    String reason = first.waitsFor().orElseThrow();
                    if (!reason.equals(told)) {
                        told = reason;
                        patienceNs = 2 * waitedNs;
                        log.accept(describe(first, waiting.size()) + " waited for "
                                + TimeUnit.NANOSECONDS.toSeconds(waitedNs) + " s. The platform says: " + reason);
                    }
                });
        return !waiting.isEmpty();
    }

    private String describe(RemoteWorker first, int waiting) {
        String name = "'" + first.name() + "'";
        return started.size() == 1
                ? name + " has"
                : name + (waiting == 1 ? "" : " and " + (waiting - 1) + " others") + " of " + started.size()
                        + (waiting == 1 ? " jobs has" : " jobs have");
    }
}
