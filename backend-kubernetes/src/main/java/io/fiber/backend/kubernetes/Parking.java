// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fiber.backend.support.BackendTasks;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.JobTermination;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Jobs whose pods cannot be created yet, because a quota is used up or the server did not answer. They are tried in
 * rounds, one after the other. If one of several jobs with the same request is rejected, the others wait for the next
 * round. Thread-safe.
 */
final class Parking {

    private static final long FIRST_PAUSE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_PAUSE_NS = TimeUnit.SECONDS.toNanos(30);

    private final Cluster cluster;
    private final BackendTasks tasks;
    private final Deque<Parked> waiting = new ArrayDeque<>();

    /** Jobs for which there is no room in this round, and their requests. */
    private final Deque<Parked> refused = new ArrayDeque<>();

    private final Set<Object> tooMuch = new HashSet<>();
    private @Nullable Future<?> next;
    private long pauseNs = FIRST_PAUSE_NS;
    private boolean trying;
    private boolean again;

    private record Parked(Launcher.PlannedPod planned) {

        KubernetesJob job() {
            return planned.job();
        }

        /** Returns what counts against a quota. */
        Object wanted() {
            PodSpec spec = planned.pod().getSpec();
            return Arrays.asList(
                    spec.getPriorityClassName(),
                    spec.getContainers().stream().map(Container::getResources).toList());
        }
    }

    Parking(Cluster cluster, BackendTasks tasks) {
        this.cluster = cluster;
        this.tasks = tasks;
    }

    /** Tries later to create a pod. */
    synchronized void park(Launcher.PlannedPod planned, String why) {
        waiting.add(new Parked(planned));
        tasks.later(() -> planned.job().parked(why));
        schedule();
    }

    /** Removes a job, and returns whether it was waiting. */
    synchronized boolean isTakenBack(KubernetesJob job) {
        return waiting.removeIf(each -> each.job() == job) || refused.removeIf(each -> each.job() == job);
    }

    /** Tries again, because something has ended and there may be room. */
    synchronized void retry() {
        pauseNs = FIRST_PAUSE_NS;
        again = trying;
        if (!waiting.isEmpty() && !trying) {
            cancelNext();
            trying = true;
            tasks.ask(this::tryNext);
        }
    }

    private void schedule() {
        if (next == null && !trying && !waiting.isEmpty()) {
            next = tasks.after(pauseNs, () -> {
                synchronized (this) {
                    next = null;
                    trying = true;
                }
                tasks.ask(this::tryNext);
            });
            pauseNs = Math.min(2 * pauseNs, LONGEST_PAUSE_NS);
        }
    }

    private void cancelNext() {
        if (next != null) {
            next.cancel(false);
            next = null;
        }
    }

    /** Waits for the API server. */
    private void tryNext() {
        Optional<Parked> next = next();
        if (next.isEmpty()) {
            return;
        }
        KubernetesJob job = next.get().job();
        if (job.isCancelled()) {
            tasks.later(() -> job.refused(JobTermination.cancelled()));
        } else if (!job.isMade()) {
            make(next.get());
        }
        tasks.ask(this::tryNext);
    }

    /** Returns the next job for which there may be room; empty at the end of the round. */
    private synchronized Optional<Parked> next() {
        while (!waiting.isEmpty()) {
            Parked next = waiting.remove();
            if (!tooMuch.contains(next.wanted())) {
                return Optional.of(next);
            }
            refused.add(next);
        }
        endRound();
        return Optional.empty();
    }

    private void endRound() {
        while (!refused.isEmpty()) {
            waiting.addFirst(refused.removeLast());
        }
        tooMuch.clear();
        trying = false;
        if (again) {
            retry();
        } else {
            schedule();
        }
    }

    /** Creates a pod, or finds that this will never be possible, or that it has to keep waiting. */
    private void make(Parked parked) {
        KubernetesJob job = parked.job();
        try {
            cluster.create(parked.planned().created());
            tasks.later(job::made);
            synchronized (this) {
                pauseNs = FIRST_PAUSE_NS;
            }
        } catch (BackendUnavailableException e) {
            synchronized (this) {
                refused.add(parked);
                refused.addAll(waiting);
                waiting.clear();
            }
            tasks.later(() -> job.parked(String.valueOf(e.getMessage())));
        } catch (Refusal e) {
            if (e.isPassing()) {
                synchronized (this) {
                    refused.add(parked);
                    tooMuch.add(parked.wanted());
                }
                tasks.later(() -> job.parked(Advice.onWaiting(e.words(), job.plan())));
            } else {
                tasks.later(() -> job.refused(Advice.notStarted("FBR-176 The cluster refused the pod: " + e.words()
                        + ". "
                        + Advice.onPod(e.words(), job.plan(), parked.planned().pod()))));
            }
        } catch (RuntimeException e) {
            String why = e instanceof BackendException ? String.valueOf(e.getMessage()) : e.toString();
            tasks.later(() -> job.refused(Advice.notStarted(why)));
            if (!(e instanceof BackendException)) {
                throw e;
            }
        }
    }
}
