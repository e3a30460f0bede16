// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import java.util.Map;
import java.util.TreeMap;

/**
 * What everything of one session is called on Docker's side.
 *
 * @param sessionId the session
 */
record SessionLabels(String sessionId) {

    static final String SESSION = "io.fiber.session";
    static final String JOB = "io.fiber.job";

    Map<String, String> ofSession() {
        return Map.of(SESSION, sessionId);
    }

    /** Returns the labels of a job's container: the user's own, and ours, which win. */
    Map<String, String> ofJob(String job, Map<String, String> own) {
        Map<String, String> labels = new TreeMap<>(own);
        labels.put(SESSION, sessionId);
        labels.put(JOB, job);
        return labels;
    }

    /** Returns the name of a job's container, unique on the host. */
    String container(String job) {
        return "fiber-" + sessionId + "-" + job;
    }

    /** Returns the name of the volume of the class path. */
    String volume() {
        return "fiber-" + sessionId;
    }

    /** Returns the label as a filter. */
    String filter() {
        return SESSION + "=" + sessionId;
    }
}
