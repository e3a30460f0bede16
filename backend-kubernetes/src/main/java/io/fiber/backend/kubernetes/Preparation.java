// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Event;
import io.fiber.backend.support.BackendTasks;
import io.fiber.spi.backend.BackendException;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Finds out what pods wait for that the cluster has accepted and that take long to start: from their conditions and, if
 * this user may list events, from the last event of each. One request serves all of them. Belongs to the backend's own
 * thread, except the request.
 */
final class Preparation {

    /** A pod of a healthy cluster with the image on its node starts within this time. */
    static final long LATE_NS = TimeUnit.SECONDS.toNanos(10);

    private static final long LONGEST_PAUSE_NS = TimeUnit.SECONDS.toNanos(60);

    private final Cluster cluster;
    private final BackendTasks tasks;
    private final Collection<KubernetesJob> jobs;
    private boolean isWatching;
    private boolean mayAsk = true;
    private long pauseNs = LATE_NS;

    Preparation(Cluster cluster, BackendTasks tasks, Collection<KubernetesJob> jobs) {
        this.cluster = cluster;
        this.tasks = tasks;
        this.jobs = jobs;
    }

    /** Looks from now on whether pods take long, until all run. Is called after jobs have been added. */
    void watch() {
        if (!isWatching) {
            isWatching = true;
            pauseNs = LATE_NS;
            lookAfter(LATE_NS);
        }
    }

    private void lookAfter(long ns) {
        var unused = tasks.after(ns, this::look);
    }

    private void look() {
        if (jobs.stream().noneMatch(KubernetesJob::isStarting)) {
            isWatching = false;
        } else if (jobs.stream().noneMatch(KubernetesJob::isLate)) {
            lookAfter(LATE_NS);
        } else if (mayAsk) {
            tasks.ask(this::ask);
        } else {
            tell(Map.of());
        }
    }

    /** Waits for the API server. */
    private void ask() {
        try {
            Map<String, Event> last = new HashMap<>();
            cluster.podEvents().stream()
                    .sorted(Comparator.comparing(Preparation::timeOf))
                    .forEach(event -> last.put(event.getInvolvedObject().getName(), event));
            tasks.later(() -> tell(last));
        } catch (Refusal e) {
            System.getLogger(Preparation.class.getName())
                    .log(Level.DEBUG, "This user may not list events, so pods wait for unknown reasons.", e);
            tasks.later(() -> {
                mayAsk = false;
                tell(Map.of());
            });
        } catch (RuntimeException e) {
            tasks.later(() -> lookAfter(LATE_NS));
            if (!(e instanceof BackendException)) {
                throw e;
            }
        }
    }

    /** Events of new components have another time; both are ISO 8601. */
    private static String timeOf(Event event) {
        return List.<Function<Event, String>>of(
                        Event::getLastTimestamp,
                        each -> each.getEventTime() == null
                                ? null
                                : each.getEventTime().getTime(),
                        each -> each.getMetadata().getCreationTimestamp())
                .stream()
                .map(time -> time.apply(event))
                .filter(time -> time != null && !time.isEmpty())
                .findFirst()
                .orElse("");
    }

    private void tell(Map<String, Event> last) {
        jobs.stream()
                .filter(KubernetesJob::isLate)
                .forEach(job -> job.isPreparedFor(
                        Optional.ofNullable(last.get(job.id())).map(Preparation::wordsOf)));
        lookAfter(pauseNs);
        pauseNs = Math.min(2 * pauseNs, LONGEST_PAUSE_NS);
    }

    private static String wordsOf(Event event) {
        String message = event.getMessage();
        return event.getReason() + (message == null || message.isBlank() ? "" : ": " + message.strip());
    }
}
