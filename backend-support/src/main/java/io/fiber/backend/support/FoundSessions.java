// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import io.fiber.spi.backend.DetachedJobs;
import io.fiber.spi.backend.Leftover;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Collects the objects of sessions on a platform, and finds those of ended sessions. Not thread-safe. */
public final class FoundSessions {

    private final Map<String, Session> sessions = new TreeMap<>();

    private static final class Session {
        private final Map<String, String> labels = new TreeMap<>();
        private final Map<String, Integer> counts = new TreeMap<>();
        private boolean hasJobs;

        private String things() {
            return counts.entrySet().stream()
                    .map(each -> each.getValue() + " " + each.getKey() + (each.getValue() == 1 ? "" : "s"))
                    .collect(Collectors.joining(", "));
        }
    }

    /** Whether an object is a job that has not ended. */
    public enum Kind {
        /** A job that has not ended. */
        LIVE_JOB,
        /** A job that has ended, a pending job that would stay pending even if its program were gone, or something else. */
        OTHER
    }

    /** Creates an empty collection. */
    public FoundSessions() {}

    /**
     * Adds an object.
     *
     * @param name the kind of the object, in the singular
     * @param labels its labels, including that of its session
     */
    public void add(String name, Kind kind, Map<String, String> labels) {
        Session session =
                sessions.computeIfAbsent(labels.getOrDefault(SessionLabels.SESSION, ""), each -> new Session());
        session.labels.putAll(labels);
        session.counts.merge(name, 1, Integer::sum);
        session.hasJobs |= kind == Kind.LIVE_JOB;
    }

    /**
     * Returns what ended sessions have left. If the program of a session cannot be seen, the session is considered
     * alive while it has jobs, because they end within the lease without it. For a run that its platform keeps, only
     * the jobs count.
     *
     * @param life returns the life of the process that {@link SessionOwner#OWNER} names
     */
    public List<Leftover> leftovers(Function<String, SessionOwner.Life> life) {
        List<Leftover> leftovers = new ArrayList<>();
        sessions.forEach((id, session) -> {
            SessionOwner.Life found;
            if (session.labels.containsKey(DetachedJobs.RUN)) {
                found = session.hasJobs ? SessionOwner.Life.LIVES : SessionOwner.Life.GONE;
            } else {
                found = life.apply(session.labels.getOrDefault(SessionOwner.OWNER, ""));
            }
            if (found == SessionOwner.Life.GONE) {
                leftovers.add(new Leftover(id, session.things(), Optional.empty()));
            } else if (found == SessionOwner.Life.UNKNOWN && !session.hasJobs) {
                String host = session.labels.getOrDefault(SessionOwner.HOST, "another host");
                leftovers.add(new Leftover(
                        id, session.things(), Optional.of("its program, on " + host + ", cannot be seen from here")));
            }
        });
        return leftovers;
    }
}
