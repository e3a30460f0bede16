// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fiber.backend.support.FailedJobs;
import io.fiber.backend.support.SessionLabels;
import io.fiber.backend.support.Sweep;
import io.fiber.spi.backend.BackendException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What is left of a session in the cluster: everything that has its label. {@link #main} is the small JVM that removes it
 * when the program is gone, or when the API server did not answer at the program's end.
 */
final class Remains {

    private static final long GRACE_S = 1;

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
        try (Cluster cluster = Cluster.connect(address)) {
            Sweep.repeat(() -> isRemoved(cluster, labels, failedJobs));
        }
    }

    /** Returns what the things of a session are called. */
    static SessionLabels labels(String sessionId) {
        return new SessionLabels(sessionId, Map.of("app.kubernetes.io/managed-by", "fiber"));
    }

    private static boolean isRemoved(Cluster cluster, SessionLabels labels, FailedJobs failedJobs) {
        try {
            cluster.deletePods(labels, GRACE_S, failedJobs);
            cluster.deleteSecrets(labels);
            return true;
        } catch (BackendException | Refusal e) {
            return false;
        }
    }
}
