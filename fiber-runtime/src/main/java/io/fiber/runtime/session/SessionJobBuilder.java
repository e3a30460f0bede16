// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import static java.util.Objects.requireNonNull;

import io.fiber.FiberProcess;
import io.fiber.FiberProcessBuilder;
import io.fiber.JobBuilder;
import io.fiber.Manager;
import io.fiber.ManagerBuilder;
import io.fiber.Ring;
import io.fiber.RingBuilder;
import io.fiber.function.RemoteRunnable;
import io.fiber.runtime.process.ProcessSettings;
import io.fiber.runtime.remotejobs.RemoteJobRequest;
import io.fiber.spec.Resources;
import io.fiber.spec.Volume;
import io.fiber.spi.backend.JobSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks and collects the settings of a builder for its session. Belongs to one thread.
 *
 * @param <B> the builder itself
 */
abstract class SessionJobBuilder<B extends JobBuilder<B>> implements JobBuilder<B> {
    private final JobSpec.Builder job = RemoteJobRequest.ofAnyWorker();
    private @Nullable String name;
    private @Nullable RemoteRunnable initializer;

    @SuppressWarnings("unchecked") // B is the builder itself
    private B self() {
        return (B) this;
    }

    @Override
    public final B name(String chosen) {
        if (chosen.isBlank()) {
            throw new IllegalArgumentException("FBR-305 name is '" + chosen
                    + "'; expected one that is not blank. Leave it out, and Fiber chooses one.");
        }
        name = chosen;
        return self();
    }

    @Override
    public final B resources(Resources needed) {
        job.resources(requireNonNull(needed, "needed"));
        return self();
    }

    @Override
    public final B environment(Map<String, String> variables) {
        job.environment(Map.copyOf(variables));
        return self();
    }

    @Override
    public final B image(String chosen) {
        if (chosen.isBlank()) {
            throw new IllegalArgumentException("FBR-305 image is '" + chosen
                    + "'; expected the name of an image, for example eclipse-temurin:21-jre.");
        }
        job.image(chosen);
        return self();
    }

    @Override
    public final B volumes(List<Volume> seen) {
        job.volumes(List.copyOf(seen));
        return self();
    }

    @Override
    public final B labels(Map<String, String> put) {
        job.labels(Map.copyOf(put));
        return self();
    }

    @Override
    public final B workingDirectory(Path directory) {
        job.workingDirectory(requireNonNull(directory, "directory"));
        return self();
    }

    @Override
    public final B timeLimit(Duration limit) {
        if (limit.isZero() || limit.isNegative()) {
            throw new IllegalArgumentException("FBR-305 timeLimit is " + limit + "; expected more than 0.");
        }
        job.timeLimit(limit);
        return self();
    }

    @Override
    public final B backendOptions(Map<String, String> options) {
        job.options(Map.copyOf(options));
        return self();
    }

    /** Sets what each process runs first, if the builder's interface has this setting. */
    public final B initializer(RemoteRunnable program) {
        initializer = requireNonNull(program, "program");
        return self();
    }

    final Optional<RemoteRunnable> initializer() {
        return Optional.ofNullable(initializer);
    }

    final Optional<String> name() {
        return Optional.ofNullable(name);
    }

    /** Returns the job of each process. */
    final JobSpec job() {
        return job.build();
    }

    /** The builder of a process. */
    static final class OfProcess extends SessionJobBuilder<FiberProcessBuilder> implements FiberProcessBuilder {
        private final Session session;
        private final RemoteRunnable program;
        private ProcessSettings.AtClose atClose = ProcessSettings.AtClose.JOINED;

        OfProcess(Session session, RemoteRunnable program) {
            this.session = session;
            this.program = program;
        }

        @Override
        public FiberProcessBuilder daemon() {
            atClose = ProcessSettings.AtClose.TERMINATED;
            return this;
        }

        @Override
        public FiberProcess start() {
            return session.newProcess(program, settings()).start();
        }

        @Override
        public Optional<String> preview() {
            return session.preview(program, settings());
        }

        private ProcessSettings settings() {
            return new ProcessSettings(name(), job(), atClose);
        }
    }

    /** The builder of a manager. */
    static final class OfManager extends SessionJobBuilder<ManagerBuilder> implements ManagerBuilder {
        private final Session session;

        OfManager(Session session) {
            this.session = session;
        }

        @Override
        public Manager start() {
            return session.startManager(
                    initializer().orElse(() -> {}),
                    new ProcessSettings(name(), job(), ProcessSettings.AtClose.TERMINATED));
        }
    }

    /** The builder of a ring. */
    static final class OfRing extends SessionJobBuilder<RingBuilder> implements RingBuilder {
        private final Session session;
        private final int size;

        OfRing(Session session, int size) {
            if (size < 1) {
                throw new IllegalArgumentException(
                        "FBR-305 size is " + size + "; expected at least 1, for example ring(8).");
            }
            this.session = session;
            this.size = size;
        }

        @Override
        public Ring build() {
            return session.newRing(name(), size, job(), initializer());
        }
    }
}
