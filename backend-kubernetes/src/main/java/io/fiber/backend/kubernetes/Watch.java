// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fiber.backend.support.SessionLabels;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * Watches all pods of a session: it lists them, and then receives changes. If the watch breaks, or the server has
 * forgotten its position (410 Gone), the pods are listed again and compared; nothing is concluded from the break
 * itself. Never waits for the API server. Thread-safe.
 */
final class Watch {

    private final Cluster cluster;
    private final SessionLabels labels;
    private final ResourceEventHandler<Pod> handler;
    private @Nullable SharedIndexInformer<Pod> informer;
    private boolean closed;

    /** Creates the watch; threads of the client call {@code handler}. */
    Watch(Cluster cluster, SessionLabels labels, ResourceEventHandler<Pod> handler) {
        this.cluster = cluster;
        this.labels = labels;
        this.handler = handler;
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
        made.addEventHandler(handler);
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
}
