// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.github.dockerjava.api.command.InspectVolumeResponse;
import com.github.dockerjava.api.model.Container;
import io.fiber.spi.backend.BackendException;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * What is left of a session on Docker's side: everything that has its label. {@link #main} is the small JVM that removes it
 * when the program is gone, or when Docker did not answer at the program's end.
 */
final class Remains {

    /** Somewhat more than ten minutes. */
    private static final int ATTEMPTS = 300;

    /** What the program, or Docker behind it, was about to do last may appear only now. */
    private static final int IDLE_ATTEMPTS = 2;

    private static final long PAUSE_S = 2;
    private static final int ADDRESS_WORDS = 4;

    private Remains() {}

    /** Returns the command that removes what is left of a session; it holds no secret. */
    static List<String> command(DaemonAddress address, SessionLabels labels, DockerOptions.Keep keep) {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-cp",
                classPath(),
                Remains.class.getName()));
        words.addAll(address.words());
        words.add(labels.sessionId());
        words.add(keep.name());
        return words;
    }

    private static String classPath() {
        List<String> entries = new ArrayList<>();
        for (String property : List.of("java.class.path", "jdk.module.path")) {
            Arrays.stream(System.getProperty(property, "").split(File.pathSeparator, -1))
                    .filter(entry -> !entry.isEmpty())
                    .map(entry -> Path.of(entry).toAbsolutePath().toString())
                    .forEach(entries::add);
        }
        return String.join(File.pathSeparator, entries);
    }

    /** Removes what is left of a session, again when Docker does not answer. */
    public static void main(String[] arguments) throws InterruptedException {
        List<String> words = List.of(arguments);
        DaemonAddress address = DaemonAddress.ofWords(words.subList(0, ADDRESS_WORDS));
        SessionLabels labels = new SessionLabels(words.get(ADDRESS_WORDS));
        DockerOptions.Keep keep = DockerOptions.Keep.valueOf(words.get(ADDRESS_WORDS + 1));
        int idle = 0;
        for (int attempt = 1; attempt <= ATTEMPTS && idle < IDLE_ATTEMPTS; attempt++) {
            idle = isIdle(address, labels, keep) ? idle + 1 : 0;
            TimeUnit.SECONDS.sleep(PAUSE_S);
        }
    }

    /** Removes, and tells whether Docker answered that there was nothing left to remove. */
    private static boolean isIdle(DaemonAddress address, SessionLabels labels, DockerOptions.Keep keep) {
        try (Engine engine = Engine.connect(address)) {
            return remove(engine, labels, keep) == 0;
        } catch (BackendException | Refusal e) {
            return false;
        }
    }

    /** Removes the containers and volumes of a session and returns how many containers those were. */
    static int remove(Engine engine, SessionLabels labels, DockerOptions.Keep keep) {
        List<Container> containers = engine.ask(docker -> docker.listContainersCmd()
                .withShowAll(true)
                .withLabelFilter(Set.of(labels.filter()))
                .exec());
        List<Container> kept = containers.stream()
                .filter(container -> keep == DockerOptions.Keep.FAILED && hasFailed(container))
                .toList();
        containers.stream()
                .filter(container -> !kept.contains(container))
                .forEach(container -> engine.remove(container.getId()));
        removeVolumes(engine, labels, !kept.isEmpty());
        return containers.size() - kept.size();
    }

    private static boolean hasFailed(Container container) {
        String status = String.valueOf(container.getStatus());
        return "exited".equals(container.getState()) && !status.startsWith("Exited (0)");
    }

    private static void removeVolumes(Engine engine, SessionLabels labels, boolean isKept) {
        List<InspectVolumeResponse> volumes = engine.ask(docker -> docker.listVolumesCmd()
                        .withFilter("label", List.of(labels.filter()))
                        .exec())
                .getVolumes();
        if (volumes == null) {
            return;
        }
        for (InspectVolumeResponse volume : volumes) {
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
}
