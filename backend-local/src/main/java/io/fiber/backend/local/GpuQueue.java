// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The jobs of a session that wait for GPUs. They get them in the order in which they were submitted, so a job that needs
 * several is not overtaken. Belongs to the backend's own thread.
 */
final class GpuQueue {

    /**
     * A job whose process waits to be told its GPUs.
     *
     * @param count how many it needs
     * @param start tells it their names
     */
    record Waiter(LocalJob job, int count, Consumer<List<String>> start) {}

    /** Other programs hold the list for milliseconds, unless they are stopped meanwhile. */
    private static final int MISSES_TO_TELL = 5;

    private final Gpus gpus;
    private final GpuClaims claims;
    /** How many attempts in a row found the list locked. */
    private int misses;

    private final Deque<Waiter> waiting = new ArrayDeque<>();

    GpuQueue(Gpus gpus, GpuClaims claims) {
        this.gpus = gpus;
        this.claims = claims;
    }

    Gpus gpus() {
        return gpus;
    }

    void add(Waiter waiter) {
        waiting.add(waiter);
    }

    /** Forgets a job that has ended, and what it held. */
    void remove(LocalJob job) {
        waiting.removeIf(waiter -> waiter.job() == job);
        claims.release(job.pid());
    }

    /** Starts the jobs for which there are GPUs now, and returns whether others still wait. */
    boolean startJobs() {
        waiting.removeIf(waiter -> waiter.job().isEnding());
        while (!waiting.isEmpty()) {
            Optional<GpuClaims.Answer> answer = claim(waiting.element());
            if (answer.isEmpty() || answer.get().granted().isEmpty()) {
                answer.ifPresent(this::explain);
                return true;
            }
            waiting.remove().start().accept(answer.get().granted());
        }
        return false;
    }

    private Optional<GpuClaims.Answer> claim(Waiter first) {
        try {
            Optional<GpuClaims.Answer> answer =
                    claims.claim(gpus.names(), first.count(), first.job().pid());
            misses = answer.isEmpty() ? misses + 1 : 0;
            if (misses == MISSES_TO_TELL) {
                waiting.forEach(waiter -> waiter.job().waits("another program holds " + claims.lock()));
            }
            return answer;
        } catch (IOException e) {
            waiting.forEach(waiter ->
                    waiter.job().waits("the list of GPUs that are taken, " + claims.file() + ", cannot be used: " + e));
            return Optional.empty();
        }
    }

    private void explain(GpuClaims.Answer answer) {
        Set<Long> pids = answer.inTheWay().stream()
                .map(GpuClaims.Claim::pid)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        String holders = pids.stream().map(String::valueOf).collect(Collectors.joining(", "));
        for (Waiter waiter : waiting) {
            waiter.job()
                    .waits("needs " + waiter.count() + " of the " + gpus.described() + "; processes that hold some: "
                            + holders);
        }
    }
}
