// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fiber.backend.support.FailedJobs;
import io.fiber.backend.support.FoundSessions;
import io.fiber.backend.support.SessionLabels;
import io.fiber.backend.support.SessionOwner;
import io.fiber.backend.support.Sweep;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.Leftover;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is left of a session in the cluster: everything that has its label. {@link #main} is the small JVM that removes it
 * when the program is gone, or when the API server did not answer at the program's end.
 */
final class Remains {

    private static final long GRACE_S = 1;
    private static final Set<String> OVER = Set.of("Succeeded", "Failed");

    private Remains() {}

    /** Returns the command that removes what is left of a session; it holds no secret. */
    static List<String> command(ClusterAddress address, SessionLabels labels, FailedJobs failedJobs) {
        List<String> words = new ArrayList<>(address.words());
        words.add(labels.sessionId());
        words.add(failedJobs.name());
        return Sweep.command(Remains.class, "96m", words);
    }

    /** Removes what is left of a session, again when the API server does not answer. */
    public static void main(String[] arguments) throws InterruptedException {
        List<String> words = List.of(arguments);
        ClusterAddress address = ClusterAddress.ofWords(words.subList(0, ClusterAddress.WORDS));
        SessionLabels labels = labels(words.get(ClusterAddress.WORDS));
        FailedJobs failedJobs = FailedJobs.valueOf(words.get(ClusterAddress.WORDS + 1));
        Sweep.repeat(() -> isRemoved(address, labels, failedJobs));
    }

    /** Returns what the things of a session are called. */
    static SessionLabels labels(String sessionId) {
        return new SessionLabels(sessionId, Map.of("app.kubernetes.io/managed-by", "fiber"));
    }

    /**
     * Returns what sessions have left in the namespace whose program is gone. What a pod owns is the cluster's to remove.
     *
     * @throws BackendException FBR-181 when the API server refuses to tell
     */
    static List<Leftover> ofOthers(Cluster cluster) {
        try {
            FoundSessions found = new FoundSessions();
            cluster.podsWith(SessionLabels.SESSION).forEach(pod -> add(found, "pod", kindOf(pod), pod.getMetadata()));
            secrets(cluster).forEach(secret -> add(found, "secret", FoundSessions.Kind.OTHER, secret.getMetadata()));
            return found.leftovers(SessionOwner::life);
        } catch (Refusal e) {
            throw new BackendException(
                    "FBR-181 The API server does not tell what sessions have left in namespace '" + cluster.namespace()
                            + "': " + e.words() + ".",
                    e);
        }
    }

    /** Programs need not list secrets, and the user of the command may not be allowed to. */
    private static List<Secret> secrets(Cluster cluster) {
        try {
            return cluster.secretsOfSessions();
        } catch (Refusal e) {
            System.getLogger(Remains.class.getName())
                    .log(Level.WARNING, "Secrets of sessions that have no pod are not found: " + e.words());
            return List.of();
        }
    }

    private static FoundSessions.Kind kindOf(Pod pod) {
        // Where the pod template has a container beside the program's own, the pod goes on when that has ended.
        return OVER.contains(String.valueOf(pod.getStatus().getPhase())) || PodReading.hasEnded(pod.getStatus())
                ? FoundSessions.Kind.OTHER
                : FoundSessions.Kind.LIVE_JOB;
    }

    private static void add(FoundSessions found, String name, FoundSessions.Kind kind, ObjectMeta metadata) {
        if (metadata.getOwnerReferences().isEmpty()) {
            found.add(name, kind, metadata.getLabels());
        }
    }

    /**
     * Removes what is left of another session.
     *
     * @throws BackendException FBR-181 when the API server refuses
     */
    static void remove(Cluster cluster, Leftover leftover) {
        try {
            remove(cluster, labels(leftover.sessionId()), FailedJobs.REMOVED);
        } catch (Refusal e) {
            throw new BackendException(
                    "FBR-181 What session " + leftover.sessionId() + " has left (" + leftover.things()
                            + ") is not removed: " + e.words() + ".",
                    e);
        }
    }

    private static void remove(Cluster cluster, SessionLabels labels, FailedJobs failedJobs) {
        cluster.deletePods(labels, GRACE_S, failedJobs);
        cluster.deleteSecrets(labels);
    }

    private static boolean isRemoved(ClusterAddress address, SessionLabels labels, FailedJobs failedJobs) {
        try (Cluster cluster = Cluster.connect(address)) {
            remove(cluster, labels, failedJobs);
            return true;
        } catch (BackendException | Refusal e) {
            return false;
        }
    }
}
