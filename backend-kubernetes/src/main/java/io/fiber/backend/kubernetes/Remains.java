// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
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
import java.util.Set;

/**
 * Removes what is left of a session in the cluster: everything with its label. {@link #main} is the small JVM that does
 * so if the program is gone, or if the API server did not answer when the program ended.
 */
final class Remains {

    private static final Set<String> OVER = Set.of("Succeeded", "Failed");

    private Remains() {}

    /** Returns the command that removes what is left of a session; it contains no secret. */
    static List<String> command(ClusterAddress address, SessionLabels labels, FailedJobs failedJobs) {
        List<String> words = new ArrayList<>(address.words());
        words.add(labels.sessionId());
        words.add(failedJobs.name());
        return Sweep.command(Remains.class, "96m", words);
    }

    /** Removes what is left of a session, and tries again if the API server does not answer. */
    public static void main(String[] arguments) throws InterruptedException {
        List<String> words = List.of(arguments);
        ClusterAddress address = ClusterAddress.ofWords(words.subList(0, ClusterAddress.WORDS));
        SessionLabels labels = Cluster.labels(words.get(ClusterAddress.WORDS));
        FailedJobs failedJobs = FailedJobs.valueOf(words.get(ClusterAddress.WORDS + 1));
        Sweep.repeat(() -> tryRemove(address, labels, failedJobs));
    }

    /**
     * Returns what is left in the namespace by sessions whose program is gone. The cluster itself removes what a pod
     * owns.
     *
     * @throws BackendException FBR-181 if the API server rejects the request
     */
    static List<Leftover> ofOthers(Cluster cluster) {
        try {
            FoundSessions found = new FoundSessions();
            cluster.jobsWith(SessionLabels.SESSION).forEach(job -> add(found, "job", kindOf(job), job.getMetadata()));
            cluster.podsWith(SessionLabels.SESSION).forEach(pod -> add(found, "pod", kindOf(pod), pod.getMetadata()));
            secrets(cluster).forEach(secret -> add(found, "secret", FoundSessions.Kind.OTHER, secret.getMetadata()));
            return found.leftovers(SessionOwner::life);
        } catch (Refusal e) {
            throw new BackendException(
                    "FBR-181 The API server does not list what sessions have left in namespace '" + cluster.namespace()
                            + "': " + e.words() + ".",
                    e);
        }
    }

    /**
     * Returns no secrets if the user may not list them; programs need not, and the user of the command may not be
     * allowed to.
     */
    private static List<Secret> secrets(Cluster cluster) {
        try {
            return cluster.secretsOfSessions();
        } catch (Refusal e) {
            if (!e.isForbidden()) {
                throw e;
            }
            System.getLogger(Remains.class.getName())
                    .log(Level.WARNING, "Secrets of sessions that have no pod are not found: " + e.words());
            return List.of();
        }
    }

    private static FoundSessions.Kind kindOf(Pod pod) {
        // If the pod template has another container beside the program's, the pod continues when the program has ended.
        return OVER.contains(String.valueOf(pod.getStatus().getPhase())) || PodReading.hasEnded(pod.getStatus())
                ? FoundSessions.Kind.OTHER
                : FoundSessions.Kind.LIVE_JOB;
    }

    private static FoundSessions.Kind kindOf(Job job) {
        return KeptRun.isOver(job) ? FoundSessions.Kind.OTHER : FoundSessions.Kind.LIVE_JOB;
    }

    private static void add(FoundSessions found, String what, FoundSessions.Kind kind, ObjectMeta metadata) {
        if (metadata.getOwnerReferences().isEmpty()) {
            found.add(what, kind, metadata.getLabels());
        }
    }

    /**
     * Removes what is left of another session.
     *
     * @throws BackendException FBR-181 if the API server rejects the request
     */
    static void remove(Cluster cluster, Leftover leftover) {
        try {
            remove(cluster, Cluster.labels(leftover.sessionId()), FailedJobs.REMOVED);
        } catch (Refusal e) {
            throw new BackendException(
                    "FBR-181 The leftovers of session " + leftover.sessionId() + " (" + leftover.things()
                            + ") cannot be removed: " + e.words() + ".",
                    e);
        }
    }

    private static void remove(Cluster cluster, SessionLabels labels, FailedJobs failedJobs) {
        // They would replace the pods.
        cluster.deleteJobs(labels);
        cluster.deletePods(labels, Cluster.SHORTEST_GRACE_S, failedJobs);
        cluster.deleteSecrets(labels);
    }

    /** Returns whether the API server has confirmed the removal. */
    private static boolean tryRemove(ClusterAddress address, SessionLabels labels, FailedJobs failedJobs) {
        try (Cluster cluster = Cluster.connect(address)) {
            remove(cluster, labels, failedJobs);
            return true;
        } catch (BackendException | Refusal e) {
            System.getLogger(Remains.class.getName())
                    .log(
                            Level.WARNING,
                            "What session " + labels.sessionId() + " has left cannot be removed now: "
                                    + e.getMessage());
            return false;
        }
    }
}
