// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.TreeMap;

/**
 * The names and labels of a session's objects on a platform. Each name contains the session, so a request whose answer
 * was lost can be repeated: it creates the same object or none.
 *
 * @param sessionId the session
 * @param common labels that all objects have in addition to the session's
 */
public record SessionLabels(String sessionId, Map<String, String> common) {

    /** The label that all objects of a session have. */
    public static final String SESSION = "io.fiber.session";

    /** The label with the name of a job. */
    public static final String JOB = "io.fiber.job";

    /** Checks that no value is null. */
    public SessionLabels {
        requireNonNull(sessionId, "sessionId");
        common = Map.copyOf(common);
    }

    /** Returns a copy with more labels for all objects. */
    public SessionLabels with(Map<String, String> more) {
        Map<String, String> all = new TreeMap<>(common);
        all.putAll(more);
        return new SessionLabels(sessionId, all);
    }

    /** Returns the labels of an object that belongs to no single job. */
    public Map<String, String> ofSession() {
        Map<String, String> labels = new TreeMap<>(common);
        labels.put(SESSION, sessionId);
        return labels;
    }

    /** Returns the labels of a job: the user's own labels, and ours, which override them. */
    public Map<String, String> ofJob(String job, Map<String, String> own) {
        Map<String, String> labels = new TreeMap<>(own);
        labels.putAll(ofSession());
        labels.put(JOB, job);
        return labels;
    }

    /** Returns the name of an object that the session has once. */
    public String name() {
        return "fiber-" + sessionId;
    }

    /** Returns the name of a job, or of another object that the session has several of. */
    public String name(String part) {
        return name() + "-" + part;
    }

    /** Returns the selector that finds all objects of the session. */
    public String selector() {
        return SESSION + "=" + sessionId;
    }
}
