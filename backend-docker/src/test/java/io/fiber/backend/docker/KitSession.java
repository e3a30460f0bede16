// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.command.InspectVolumeResponse;
import com.github.dockerjava.api.model.Container;
import io.fiber.spi.Environment;
import io.fiber.spi.Secret;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import io.fiber.tck.cluster.JobRecord;
import io.fiber.tck.cluster.KitContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A backend on a real engine with a session around it, and what its jobs told. */
final class KitSession implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(90);

    private final KitContext context;
    private final JobRecord record = new JobRecord(LIMIT);
    private final Engine engine = DockerFixture.engine();
    private final Backend backend;
    private int number;

    KitSession(Path directory, Map<String, String> values) {
        this(directory, values, Environment.system());
    }

    KitSession(Path directory, Map<String, String> values, Environment environment) {
        this.context = new KitContext("kitsession01", directory, DockerFixture.options(values), environment);
        this.backend = new DockerBackendProvider().create(context);
    }

    Job start(JobSpec.Builder spec) {
        Submission submission = submission(spec);
        number++;
        return backend.submit(submission, record).get(0);
    }

    Optional<String> preview(JobSpec.Builder spec) {
        return backend.preview(submission(spec));
    }

    private Submission submission(JobSpec.Builder spec) {
        return Submission.of(spec.build(), "job-" + number, Secret.of(new byte[] {1, 2, 3}));
    }

    static JobSpec.Builder command(String... words) {
        return JobSpec.builder(new Program.Command(List.of(words)));
    }

    /** Returns a spec of a program of this package. */
    static JobSpec.Builder java(Class<?> main) {
        return JobSpec.builder(
                DockerFixture.java(main, DockerFixture.placeOf(main).toString()));
    }

    JobTermination awaitEnd(Job job) {
        return record.awaitEnd(job);
    }

    String awaitRunning(Job job) {
        return record.awaitRunning(job);
    }

    KitContext context() {
        return context;
    }

    Engine engine() {
        return engine;
    }

    InspectContainerResponse inspect(Job job) {
        return engine.inspect(job.id());
    }

    /** Returns the containers and volumes of all sessions. */
    static List<String> remains(Engine engine) {
        List<Container> containers = engine.ask(docker -> docker.listContainersCmd()
                .withShowAll(true)
                .withLabelFilter(Set.of(SessionLabels.SESSION))
                .exec());
        List<InspectVolumeResponse> volumes =
                engine.ask(docker -> docker.listVolumesCmd().exec()).getVolumes();
        List<String> names = new ArrayList<>(containers.stream()
                .map(each -> List.of(each.getNames()) + " " + each.getStatus())
                .toList());
        if (volumes != null) {
            volumes.forEach(volume -> names.add("volume " + volume.getName()));
        }
        return names;
    }

    @Override
    public void close() {
        backend.close();
        engine.close();
    }
}
