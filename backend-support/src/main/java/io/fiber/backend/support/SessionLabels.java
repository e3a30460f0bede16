// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.TreeMap;

/**
 * What everything of one session is called on a platform that has names and labels. The session is in each name, so that a
 * request whose answer was lost can be repeated: it makes the same thing or none.
 *
 * @param sessionId the session
 * @param common labels that everything has beside the session's
 */
public record SessionLabels(String sessionId, Map<String, String> common) {

    /** The label that everything of a session has. */
    public static final String SESSION = "io.fiber.session";

    /** The label with the name of a job. */
    public static final String JOB = "io.fiber.job";

    /** Checks that both are there. */
    public SessionLabels {
        requireNonNull(sessionId, "sessionId");
        common = Map.copyOf(common);
    }

    /** Returns the same with more labels that everything has. */
    public SessionLabels with(Map<String, String> more) {
        Map<String, String> all = new TreeMap<>(common);
        all.putAll(more);
        return new SessionLabels(sessionId, all);
    }

    /** Returns the labels of something that belongs to no single job. */
    public Map<String, String> ofSession() {
        Map<String, String> labels = new TreeMap<>(common);
        labels.put(SESSION, sessionId);
        return labels;
    }

    /** Returns the labels of a job: the user's own, and ours, which win. */
    public Map<String, String> ofJob(String job, Map<String, String> own) {
        Map<String, String> labels = new TreeMap<>(own);
        labels.putAll(ofSession());
        labels.put(JOB, job);
        return labels;
    }

    /** Returns the name of what the session has once. */
    public String name() {
        return "fiber-" + sessionId;
    }

    /** Returns the name of a job, or of something else that the session has several of. */
    public String name(String part) {
        return name() + "-" + part;
    }

    /** Returns the label by which all of the session is found. */
    public String selector() {
        return SESSION + "=" + sessionId;
    }
}
