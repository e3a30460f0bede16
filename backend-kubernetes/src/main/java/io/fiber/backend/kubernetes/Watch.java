// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fiber.backend.support.BackendTasks;
import io.fiber.backend.support.SessionLabels;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * The one watch of all pods of a session: a list, and then what changes. When it breaks, or the server has forgotten where
 * it was (410 Gone), the pods are listed again and compared; nothing is concluded from the break itself. Thread-safe;
 * never waits for the API server.
 */
final class Watch {

    /** Is told what has become of pods. */
    interface Guard {
        /** A pod is new or has changed. */
        void look(Pod pod);

        /** A pod is there no more. */
        void gone(Pod last);

        /** All pods have been listed. */
        void listed();
    }

    private final Cluster cluster;
    private final SessionLabels labels;
    private final BackendTasks tasks;
    private final Guard guard;
    private @Nullable SharedIndexInformer<Pod> informer;
    private boolean closed;

    Watch(Cluster cluster, SessionLabels labels, BackendTasks tasks, Guard guard) {
        this.cluster = cluster;
        this.labels = labels;
        this.tasks = tasks;
        this.guard = guard;
    }

    /** Opens the watch, if it is not open. */
    synchronized void open() {
        if (closed || informer != null) {
            return;
        }
        SharedIndexInformer<Pod> made = cluster.pods(labels).runnableInformer(0);
        made.exceptionHandler((started, failure) -> {
            System.getLogger(Watch.class.getName())
                    .log(
                            Level.DEBUG,
                            "The watch of the pods of session " + labels.sessionId() + " is repeated.",
                            failure);
            return true;
        });
        made.addEventHandler(new Handler());
        informer = made;
        var unused = made.start();
    }

    /** Ends the watch for good. */
    synchronized void close() {
        closed = true;
        if (informer != null) {
            informer.stop();
        }
    }

    /** Called by threads of the client. */
    private final class Handler implements ResourceEventHandler<Pod> {
        @Override
        public void onAdd(Pod pod) {
            tasks.later(() -> guard.look(pod));
        }

        @Override
        public void onUpdate(Pod before, Pod pod) {
            tasks.later(() -> guard.look(pod));
        }

        @Override
        public void onDelete(Pod last, boolean unknown) {
            tasks.later(() -> guard.gone(last));
        }

        @Override
        public void onList(String resourceVersion, boolean remainedEmpty) {
            tasks.later(guard::listed);
        }
    }
}
