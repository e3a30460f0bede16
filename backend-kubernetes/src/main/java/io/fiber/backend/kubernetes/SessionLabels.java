// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import java.util.Map;
import java.util.TreeMap;

/**
 * What everything of one session is called in the cluster.
 *
 * @param sessionId the session
 */
record SessionLabels(String sessionId) {

    static final String SESSION = "io.fiber.session";
    static final String JOB = "io.fiber.job";

    private static final String MANAGED_BY = "app.kubernetes.io/managed-by";

    Map<String, String> ofSession() {
        return Map.of(SESSION, sessionId, MANAGED_BY, "fiber");
    }

    /** Returns the labels of a job's pod: the user's own, and ours, which win. */
    Map<String, String> ofJob(String job, Map<String, String> own) {
        Map<String, String> labels = new TreeMap<>(own);
        labels.putAll(ofSession());
        labels.put(JOB, job);
        return labels;
    }

    /**
     * Returns the name of a job's pod. The session is in it, so that a request whose answer was lost can be repeated: it
     * makes the same pod or none.
     */
    String pod(String job) {
        return "fiber-" + sessionId + "-" + job;
    }

    /** Returns the name of the secret of a submission. */
    String secret(int submission) {
        return "fiber-" + sessionId + "-" + submission;
    }

    /** Returns the label as a selector. */
    String selector() {
        return SESSION + "=" + sessionId;
    }
}
