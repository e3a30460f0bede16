// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.model.Event;
import com.github.dockerjava.api.model.EventActor;
import com.github.dockerjava.api.model.EventType;
import io.fiber.backend.support.BackendTasks;
import io.fiber.backend.support.SessionLabels;
import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The one stream of events for all containers of a session. It only says where to look; after a gap everything is looked at.
 * Belongs to the backend's own thread; never waits for Docker.
 */
final class Watch {

    private static final long AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final String OUT_OF_MEMORY = "oom";

    private final Engine engine;
    private final SessionLabels labels;
    private final BackendTasks tasks;
    private final Map<String, DockerJob> jobs;
    private @Nullable Listener listener;
    private @Nullable Future<?> reopening;
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
        if (reopening != null) {
            reopening.cancel(false);
        }
        Listener open = listener;
        listener = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                System.getLogger(Watch.class.getName()).log(Level.DEBUG, "Docker's events were not closed.", e);
            }
        }
    }

    /** Called by a thread of docker-java. */
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
