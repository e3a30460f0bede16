// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobTermination;
import io.fiber.tck.clause.ClauseFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Records the events of a submission's jobs and checks the rules for every sequence of events. Thread-safe. */
final class EventRecorder implements JobListener {

    private final Set<Capability> declared;
    private final Consumer<JobEvent> observer;
    private final Map<String, List<JobEvent>> stories = new HashMap<>();
    private final Map<String, Thread> inside = new ConcurrentHashMap<>();
    private final List<ClauseFailure> violations = new ArrayList<>();
    private boolean closed;

    EventRecorder(Set<Capability> declared) {
        this(declared, event -> {});
    }

    /** Creates a recorder; {@code observer} is called inside each event, in the backend's thread. */
    EventRecorder(Set<Capability> declared, Consumer<JobEvent> observer) {
        this.declared = declared;
        this.observer = observer;
    }

    @Override
    public void onEvent(@Nullable JobEvent event) {
        if (event == null || event.job() == null || event.job().name() == null) {
            violate("BKD-406", "an event is null, or its job or the name of the job is null: " + event + ".");
            return;
        }
        String name = event.job().name();
        Thread other = inside.putIfAbsent(name, Thread.currentThread());
        if (other != null) {
            violate(
                    "BKD-402",
                    "thread '" + Thread.currentThread().getName() + "' reported " + describe(event) + " while thread '"
                            + other.getName() + "' was still reporting an event of the same job.");
        }
        add(name, event);
        try {
            observer.accept(event);
        } finally {
            if (other == null) {
                inside.remove(name);
            }
        }
    }

    private synchronized void add(String name, JobEvent event) {
        List<JobEvent> story = stories.computeIfAbsent(name, key -> new ArrayList<>());
        checkNext(story, event);
        story.add(event);
        notifyAll();
    }

    private void checkNext(List<JobEvent> story, JobEvent event) {
        if (closed) {
            violate(
                    "BKD-609",
                    describe(event) + " came after close had returned; the story was " + describe(story) + ".");
        } else if (has(story, JobEvent.Ended.class)) {
            violate("BKD-404", describe(event) + " came after the end; the story was " + describe(story) + ".");
        } else if (event instanceof JobEvent.Running && has(story, JobEvent.Running.class)) {
            checkSecondStart(story.get(0), event);
        } else if (event instanceof JobEvent.Waiting && has(story, JobEvent.Running.class)) {
            violate("BKD-401", "Waiting came after Running; the story was " + describe(story) + ".");
        } else if (event instanceof JobEvent.Preempting && !declared.contains(Capability.PREEMPTION_NOTICE)) {
            violate("BKD-521", "Preempting came from a backend that does not declare PREEMPTION_NOTICE.");
        }
    }

    /** Two jobs of the platform for one name are a worse fault than one that is reported twice. */
    private void checkSecondStart(JobEvent first, JobEvent again) {
        String id = first.job().id();
        String other = again.job().id();
        if (id.equals(other)) {
            violate(
                    "BKD-403",
                    "Running was reported twice for job '" + first.job().name() + "' with id '" + id + "'.");
        } else {
            violate(
                    "BKD-203",
                    "job '" + first.job().name() + "' runs twice, with the ids '" + id + "' and '" + other
                            + "': it was submitted once.");
        }
    }

    private static boolean has(List<JobEvent> story, Class<? extends JobEvent> kind) {
        return story.stream().anyMatch(kind::isInstance);
    }

    private synchronized void violate(String clauseId, String seen) {
        violations.add(new ClauseFailure(clauseId, seen));
        notifyAll();
    }

    /** Forbids events from now on. */
    synchronized void backendHasClosed() {
        closed = true;
    }

    /** Throws the first violation that was seen. */
    synchronized void check() {
        if (!violations.isEmpty()) {
            throw violations.get(0);
        }
    }

    synchronized List<JobEvent> story(Job job) {
        return List.copyOf(stories.getOrDefault(job.name(), List.of()));
    }

    Optional<JobEvent.Running> running(Job job) {
        return story(job).stream()
                .filter(JobEvent.Running.class::isInstance)
                .map(JobEvent.Running.class::cast)
                .findFirst();
    }

    Optional<JobTermination> termination(Job job) {
        return story(job).stream()
                .filter(JobEvent.Ended.class::isInstance)
                .map(event -> ((JobEvent.Ended) event).termination())
                .findFirst();
    }

    String describe(Job job) {
        return describe(story(job));
    }

    private static String describe(List<JobEvent> story) {
        return story.stream().map(EventRecorder::describe).toList().toString();
    }

    private static String describe(JobEvent event) {
        if (event instanceof JobEvent.Ended ended) {
            return "Ended(" + ended.termination().state() + ", "
                    + ended.termination().describe() + ")";
        }
        return event.getClass().getSimpleName();
    }
}
