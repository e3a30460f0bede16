// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.model.Container;
import com.github.dockerjava.api.model.Event;
import com.github.dockerjava.api.model.EventActor;
import com.github.dockerjava.api.model.EventType;
import io.fiber.backend.support.BackendTasks;
import io.fiber.backend.support.SessionLabels;
import io.fiber.spi.backend.BackendException;
import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Watches all containers of a session through one stream of events. An event only says which container to check; after
 * a gap, all are checked. If the daemon is reached by TCP, the running containers are also listed every minute, because
 * the stream may become silent without ending. Not thread-safe; belongs to the backend's own thread, on which it never
 * waits for Docker.
 */
final class Watch {

    private static final long AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long LIST_NS = TimeUnit.MINUTES.toNanos(1);
    private static final String OUT_OF_MEMORY = "oom";

    private final Engine engine;
    private final SessionLabels labels;
    private final BackendTasks tasks;
    private final Map<String, DockerJob> jobs;
    private @Nullable Listener listener;
    private @Nullable Future<?> reopening;
    private @Nullable Future<?> listing;
    private boolean closed;

    /**
     * Creates it; the stream is not open.
     *
     * @param jobs all jobs of the session, by the ids of their containers
     */
    Watch(Engine engine, SessionLabels labels, BackendTasks tasks, Map<String, DockerJob> jobs) {
        this.engine = engine;
        this.labels = labels;
        this.tasks = tasks;
        this.jobs = jobs;
    }

    /** Opens the stream, if it is not open. */
    void open() {
        if (!closed && listener == null) {
            listener = engine.streams()
                    .eventsCmd()
                    .withEventTypeFilter(EventType.CONTAINER)
                    .withEventFilter("die", "destroy", OUT_OF_MEMORY)
                    .withLabelFilter(labels.selector())
                    .exec(new Listener());
            if (listing == null && !engine.isOnThisHost()) {
                listing = tasks.after(LIST_NS, this::list);
            }
        }
    }

    private void list() {
        listing = tasks.after(LIST_NS, this::list);
        if (!jobs.isEmpty()) {
            tasks.ask(this::listNow);
        }
    }

    /** Waits for Docker. */
    private void listNow() {
        try {
            Set<String> running = engine
                    .ask(docker -> docker.listContainersCmd()
                            .withLabelFilter(List.of(labels.selector()))
                            .exec())
                    .stream()
                    .map(Container::getId)
                    .collect(Collectors.toSet());
            tasks.later(() -> listed(running));
        } catch (BackendException | Refusal e) {
            System.getLogger(Watch.class.getName())
                    .log(Level.DEBUG, "Docker's containers are listed again in a minute.", e);
        }
    }

    private void listed(Set<String> running) {
        List<DockerJob> untold = jobs.values().stream()
                .filter(job -> job.isThoughtToRun() && !running.contains(job.containerId()))
                .toList();
        untold.forEach(DockerJob::look);
        Listener silent = listener;
        if (!untold.isEmpty() && silent != null) {
            listener = null;
            tasks.ask(() -> close(silent));
            open();
        }
    }

    private void broken(Listener which) {
        if (listener == which) {
            listener = null;
            reopening = tasks.after(AGAIN_NS, this::open);
        }
    }

    /** Ends the stream for good. */
    void close() {
        closed = true;
        for (Future<?> timer : new Future<?>[] {reopening, listing}) {
            if (timer != null) {
                timer.cancel(false);
            }
        }
        Listener open = listener;
        listener = null;
        if (open != null) {
            close(open);
        }
    }

    private static void close(Listener open) {
        try {
            open.close();
        } catch (IOException e) {
            System.getLogger(Watch.class.getName()).log(Level.DEBUG, "Docker's events were not closed.", e);
        }
    }

    /** A thread of docker-java calls it. */
    private final class Listener extends ResultCallback.Adapter<Event> {
        @Override
        public void onStart(Closeable stream) {
            super.onStart(stream);
            tasks.later(() -> jobs.values().forEach(DockerJob::look));
        }

        @Override
        public void onNext(Event event) {
            EventActor actor = event.getActor();
            String id = actor == null ? event.getId() : actor.getId();
            if (id != null) {
                boolean isMemory = OUT_OF_MEMORY.equals(event.getAction());
                tasks.later(() -> {
                    DockerJob job = jobs.get(id);
                    if (job != null && isMemory) {
                        job.outOfMemory();
                    } else if (job != null) {
                        job.look();
                    }
                });
            }
        }

        @Override
        public void onError(Throwable failure) {
            super.onError(failure);
            tasks.later(() -> broken(this));
        }

        @Override
        public void onComplete() {
            super.onComplete();
            tasks.later(() -> broken(this));
        }
    }
}
