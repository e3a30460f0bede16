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
    private static final int ATTEMPTS = 200;

    private static final long PAUSE_S = 3;
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
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            boolean removed = isRemoved(address, labels, keep);
            TimeUnit.SECONDS.sleep(PAUSE_S);
            if (removed) {
                // What the program asked for last may have appeared only now.
                isRemoved(address, labels, keep);
                return;
            }
        }
    }

    private static boolean isRemoved(DaemonAddress address, SessionLabels labels, DockerOptions.Keep keep) {
        try (Engine engine = Engine.connect(address)) {
            remove(engine, labels, keep);
            return true;
        } catch (BackendException | Refusal e) {
            return false;
        }
    }

    /** Removes the containers and volumes of a session. */
    static void remove(Engine engine, SessionLabels labels, DockerOptions.Keep keep) {
        List<Container> containers = engine.ask(docker -> docker.listContainersCmd()
                .withShowAll(true)
                .withLabelFilter(Set.of(labels.filter()))
                .exec());
        List<String> kept = new ArrayList<>();
        for (Container container : containers) {
            if (keep == DockerOptions.Keep.FAILED && hasFailed(container)) {
                kept.add(container.getId());
            } else {
                engine.remove(container.getId());
            }
        }
        if (kept.isEmpty()) {
            removeVolumes(engine, labels);
        }
    }

    private static boolean hasFailed(Container container) {
        String status = String.valueOf(container.getStatus());
        return "exited".equals(container.getState()) && !status.startsWith("Exited (0)");
    }

    private static void removeVolumes(Engine engine, SessionLabels labels) {
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
                if (!e.isNotFound()) {
                    throw e;
                }
            }
        }
    }
}
