// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.command.InspectVolumeResponse;
import com.github.dockerjava.api.model.Container;
import io.fiber.backend.support.SessionLabels;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.Job;
import io.fiber.tck.cluster.BackendSession;
import io.fiber.tck.cluster.KitContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A backend on a real engine with a session around it, and a test's own way to the engine. */
final class KitSession extends BackendSession {

    private static final Duration LIMIT = Duration.ofMinutes(4);

    private final Engine engine = DockerFixture.engine();

    KitSession(Path directory, Map<String, String> values) {
        this(directory, values, Environment.system());
    }

    /** A session beside others. */
    KitSession(String id, Path directory) {
        this(new KitContext(id, directory, DockerFixture.options(Map.of()), Environment.system()));
    }

    KitSession(Path directory, Map<String, String> values, Environment environment) {
        this(new KitContext("kitsession01", directory, DockerFixture.options(values), environment));
    }

    private KitSession(KitContext context) {
        super(context, new DockerBackendProvider().create(context), LIMIT);
    }

    Engine engine() {
        return engine;
    }

    InspectContainerResponse inspect(Job job) {
        return engine.inspect(job.id());
    }

    /** Returns the containers and volumes of all sessions. */
    static List<String> remains(Engine engine) {
        List<String> names = new ArrayList<>(remains(engine, SessionLabels.SESSION));
        List<InspectVolumeResponse> volumes =
                engine.ask(docker -> docker.listVolumesCmd().exec()).getVolumes();
        if (volumes != null) {
            volumes.forEach(volume -> names.add("volume " + volume.getName()));
        }
        return names;
    }

    /** Returns the containers with a label, in any state. */
    static List<String> remains(Engine engine, String label) {
        List<Container> containers = engine.ask(docker -> docker.listContainersCmd()
                .withShowAll(true)
                .withLabelFilter(Set.of(label))
                .exec());
        return containers.stream()
                .map(each -> List.of(each.getNames()) + " " + each.getStatus())
                .toList();
    }

    @Override
    public void close() {
        super.close();
        engine.close();
    }
}
