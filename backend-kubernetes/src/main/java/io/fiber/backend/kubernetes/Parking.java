// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fiber.backend.support.BackendTasks;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.JobTermination;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Jobs whose pods cannot be made yet, because a quota is used up or the server did not answer. Only the first is tried, and
 * the others after it: so the requests do not grow with those that wait. Thread-safe.
 */
final class Parking {

    private static final long FIRST_PAUSE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_PAUSE_NS = TimeUnit.SECONDS.toNanos(30);

    private final Cluster cluster;
    private final BackendTasks tasks;
    private final Deque<Parked> waiting = new ArrayDeque<>();
    private @Nullable Future<?> next;
    private long pauseNs = FIRST_PAUSE_NS;
    private boolean trying;

    private record Parked(KubernetesJob job, Pod pod) {}

    Parking(Cluster cluster, BackendTasks tasks) {
        this.cluster = cluster;
        this.tasks = tasks;
    }

    /** Tries later to make a pod. */
    synchronized void park(KubernetesJob job, Pod pod, String why) {
        waiting.add(new Parked(job, pod));
        tasks.later(() -> job.parked(why));
        schedule();
    }

    /** Takes back a job, and tells whether it was waiting. */
    synchronized boolean isTakenBack(KubernetesJob job) {
        return waiting.removeIf(each -> each.job() == job);
    }

    /** Something has ended: there may be room. */
    synchronized void retry() {
        pauseNs = FIRST_PAUSE_NS;
        if (!waiting.isEmpty() && !trying) {
            cancelNext();
            trying = true;
            tasks.ask(this::tryFirst);
        }
    }

    private void schedule() {
        if (next == null && !trying && !waiting.isEmpty()) {
            next = tasks.after(pauseNs, () -> {
                synchronized (this) {
                    next = null;
                    trying = true;
                }
                tasks.ask(this::tryFirst);
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
    private void tryFirst() {
        Parked first;
        synchronized (this) {
            first = waiting.poll();
            if (first == null) {
                trying = false;
                return;
            }
        }
        boolean goOn = true;
        if (first.job().isCancelled()) {
            tasks.later(() -> first.job().refused(JobTermination.cancelled()));
        } else {
            goOn = isMade(first);
        }
        synchronized (this) {
            trying = goOn;
            if (goOn) {
                pauseNs = FIRST_PAUSE_NS;
                tasks.ask(this::tryFirst);
            } else {
                schedule();
            }
        }
    }

    /** Makes a pod, or finds that it will never be; false when it has to wait on. */
    private boolean isMade(Parked parked) {
        KubernetesJob job = parked.job();
        try {
            cluster.create(parked.pod());
            tasks.later(job::made);
            return true;
        } catch (BackendUnavailableException e) {
            return isParkedAgain(parked, String.valueOf(e.getMessage()));
        } catch (Refusal e) {
            if (e.isPassing()) {
                return isParkedAgain(parked, e.words());
            }
            tasks.later(() -> job.refused(Advice.notStarted(
                    "FBR-176 The cluster refused the pod: " + e.words() + ". " + Advice.on(e.words(), job.plan()))));
            return true;
        } catch (BackendException e) {
            tasks.later(() -> job.refused(Advice.notStarted(String.valueOf(e.getMessage()))));
            return true;
        }
    }

    private boolean isParkedAgain(Parked parked, String why) {
        synchronized (this) {
            waiting.addFirst(parked);
        }
        tasks.later(() -> parked.job().parked(why));
        return false;
    }
}
