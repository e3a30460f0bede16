// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.github.dockerjava.api.command.InspectVolumeResponse;
import com.github.dockerjava.api.model.Container;
import io.fiber.backend.support.FailedJobs;
import io.fiber.backend.support.FoundSessions;
import io.fiber.backend.support.SessionLabels;
import io.fiber.backend.support.Sweep;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.Leftover;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Removes what is left of a session in Docker: everything with its label. {@link #main} is the small JVM that does so
 * if the program is gone, or if Docker did not answer when the program ended.
 */
final class Remains {

    private static final int ADDRESS_WORDS = 3;
    /** States of a container whose program has ended; one that is only created may be about to start. */
    private static final Set<String> OVER = Set.of("exited", "dead");

    private Remains() {}

    /** Returns the command that removes what is left of a session; it contains no secret. */
    static List<String> command(DaemonAddress address, SessionLabels labels, FailedJobs failedJobs) {
        List<String> words = new ArrayList<>(address.words());
        words.add(labels.sessionId());
        words.add(failedJobs.name());
        return Sweep.command(Remains.class, "64m", words);
    }

    /** Removes what is left of a session, and tries again if Docker does not answer. */
    public static void main(String[] arguments) throws InterruptedException {
        List<String> words = List.of(arguments);
        DaemonAddress address = DaemonAddress.ofWords(words.subList(0, ADDRESS_WORDS));
        SessionLabels labels = new SessionLabels(words.get(ADDRESS_WORDS), Map.of());
        FailedJobs failedJobs = FailedJobs.valueOf(words.get(ADDRESS_WORDS + 1));
        Sweep.repeat(() -> isIdle(address, labels, failedJobs));
    }

    /** Removes, and returns whether Docker answered that nothing was left to remove. */
    private static boolean isIdle(DaemonAddress address, SessionLabels labels, FailedJobs failedJobs) {
        try (Engine engine = Engine.connect(address)) {
            return remove(engine, labels, failedJobs) == 0;
        } catch (BackendException | Refusal e) {
            return false;
        }
    }

    /** Removes the containers and volumes of a session and returns the number of containers. */
    static int remove(Engine engine, SessionLabels labels, FailedJobs failedJobs) {
        List<Container> containers = engine.ask(docker -> docker.listContainersCmd()
                .withShowAll(true)
                .withLabelFilter(Set.of(labels.selector()))
                .exec());
        List<Container> kept = containers.stream()
                .filter(container -> failedJobs == FailedJobs.KEPT && hasFailed(container))
                .toList();
        containers.stream()
                .filter(container -> !kept.contains(container))
                .forEach(container -> engine.remove(container.getId()));
        removeVolumes(engine, labels, !kept.isEmpty());
        return containers.size() - kept.size();
    }

    /**
     * Returns what sessions have left whose program is gone, that is, its process or its container. Includes the class
     * paths that are kept for later sessions.
     *
     * @throws BackendException FBR-181 if Docker rejects the request
     */
    static List<Leftover> ofOthers(Engine engine) {
        try {
            FoundSessions found = new FoundSessions();
            engine.ask(docker -> docker.listContainersCmd()
                            .withShowAll(true)
                            .withLabelFilter(Set.of(SessionLabels.SESSION))
                            .exec())
                    .forEach(container -> found.add("container", kindOf(container), container.getLabels()));
            volumes(engine, SessionLabels.SESSION)
                    .forEach(volume -> found.add("volume", FoundSessions.Kind.OTHER, volume.getLabels()));
            List<Leftover> leftovers = new ArrayList<>(found.leftovers(owner -> OwnContainer.life(engine, owner)));
            KeptClassPaths.leftover(engine).ifPresent(leftovers::add);
            return leftovers;
        } catch (Refusal e) {
            throw new BackendException("FBR-181 Docker does not list what sessions have left: " + e.words() + ".", e);
        }
    }

    private static FoundSessions.Kind kindOf(Container container) {
        return OVER.contains(String.valueOf(container.getState()))
                ? FoundSessions.Kind.OTHER
                : FoundSessions.Kind.LIVE_JOB;
    }

    /**
     * Removes what is left of another session.
     *
     * @throws BackendException FBR-181 if Docker rejects the request
     */
    static void remove(Engine engine, Leftover leftover) {
        try {
            if (leftover.sessionId().equals(KeptClassPaths.LEFTOVER)) {
                KeptClassPaths.remove(engine);
            } else {
                remove(engine, new SessionLabels(leftover.sessionId(), Map.of()), FailedJobs.REMOVED);
            }
        } catch (Refusal e) {
            throw new BackendException(
                    "FBR-181 The leftovers of session " + leftover.sessionId() + " (" + leftover.things()
                            + ") cannot be removed: " + e.words() + ". 'docker ps -a' and 'docker volume ls' show it.",
                    e);
        }
    }

    private static boolean hasFailed(Container container) {
        String status = String.valueOf(container.getStatus());
        return "exited".equals(container.getState()) && !status.startsWith("Exited (0)");
    }

    private static void removeVolumes(Engine engine, SessionLabels labels, boolean isKept) {
        for (InspectVolumeResponse volume : volumes(engine, labels.selector())) {
            try {
                engine.tell(docker -> docker.removeVolumeCmd(volume.getName()).exec());
            } catch (Refusal e) {
                // A container that is kept keeps its volumes.
                if (!e.isNotFound() && !(e.isConflict() && isKept)) {
                    throw e;
                }
            }
        }
    }

    private static List<InspectVolumeResponse> volumes(Engine engine, String label) {
        List<InspectVolumeResponse> volumes = engine.ask(docker -> docker.listVolumesCmd()
                        .withFilter("label", List.of(label))
                        .exec())
                .getVolumes();
        return volumes == null ? List.of() : volumes;
    }
}
