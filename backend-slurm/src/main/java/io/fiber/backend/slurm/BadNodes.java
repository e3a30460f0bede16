// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Nodes on which jobs of a session cannot be started, while others run elsewhere. Their places are the first to be free again,
 * so without an end to it they would be given every job. Thread-safe.
 */
final class BadNodes {

    /** One may be chance. */
    private static final int FAILURES = 2;

    private final Map<String, Set<String>> failures = new HashMap<>();
    private final Set<String> bad = new TreeSet<>();
    /** Those that ran when Slurm was asked last. */
    private Set<Place> running = Set.of();

    private record Place(String job, String nodes) {}

    /** Takes what Slurm has said of jobs. */
    synchronized void look(Collection<QueueRow> rows) {
        Set<Place> now = rows.stream()
                .filter(QueueRow::isRunning)
                .map(row -> new Place(row.id(), row.nodes()))
                .collect(Collectors.toSet());
        // What has run for a while was started well.
        Set<String> good =
                now.stream().filter(running::contains).map(Place::nodes).collect(Collectors.toSet());
        running = now;
        for (QueueRow row : rows) {
            row.whyNodeIsBad().ifPresent(why -> failed(row, why, good));
        }
    }

    private void failed(QueueRow row, String why, Set<String> good) {
        Set<String> jobs = failures.computeIfAbsent(row.nodes(), node -> new HashSet<>());
        jobs.add(row.id());
        if (jobs.size() >= FAILURES && !good.isEmpty() && !good.contains(row.nodes()) && bad.add(row.nodes())) {
            System.getLogger(BadNodes.class.getName())
                    .log(
                            Level.WARNING,
                            "Node '" + row.nodes() + "' gets no more jobs of this session: " + jobs.size()
                                    + " jobs could not be started there (" + why + "), while others run on "
                                    + String.join(", ", new TreeSet<>(good)) + ".");
        }
    }

    /** Returns what {@code --exclude} is given: these, and those that the user names; empty for nothing. */
    synchronized Optional<String> with(Optional<String> named) {
        String all = Stream.concat(named.stream(), bad.stream()).collect(Collectors.joining(","));
        return Optional.of(all).filter(nodes -> !nodes.isEmpty());
    }

    /** Tells whether there were any, and forgets them: without them a job has no node to run on. */
    synchronized boolean forget() {
        boolean were = !bad.isEmpty();
        bad.clear();
        failures.clear();
        return were;
    }
}
