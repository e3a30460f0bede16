// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.catchThrowable;

import io.fiber.spi.Environment;
import io.fiber.spi.Secret;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Submission;
import io.fiber.tck.cluster.JobRecord;
import io.fiber.tck.cluster.KitContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/** A backend on a real cluster with a session around it, what its jobs told, and the commands that it ran. */
final class KitSession implements AutoCloseable {

    static final int LIMIT_SECONDS = 90;

    private static final Duration LIMIT = Duration.ofSeconds(LIMIT_SECONDS);

    private final KitContext context;
    private final JobRecord record = new JobRecord(LIMIT);
    private final List<String> commands = new CopyOnWriteArrayList<>();
    private final Login login;
    private final SlurmBackend backend;

    /** Opens a session on this host, or on the login node that the values name. */
    KitSession(Path directory, Map<String, String> values) {
        this(directory, values, Environment.system());
    }

    /** Opens a session in an environment. */
    KitSession(Path directory, Map<String, String> values, Environment environment) {
        // Of its own: what an earlier one has left is cancelled by its name.
        String id = "kit" + UUID.randomUUID().toString().replace("-", "").substring(0, 9);
        Map<String, String> all = new TreeMap<>(values);
        all.putIfAbsent("directory", directory.resolve("shared").toString());
        all.putIfAbsent("memory", "64m");
        this.context = new KitContext(id, directory, SlurmFixture.options(all), environment);
        SiteOptions site = SiteOptions.of(context.options());
        LocalCommands local = new LocalCommands(directory, environment, site::leavesToTheUser);
        this.login = SshOptions.of(context.options(), directory)
                .map(ssh -> SshLogin.open(context, ssh, site, List.of("sbatch")))
                .orElseGet(() -> Login.here(local, Optional.of(local::start)));
        this.backend = new SlurmBackend(context, login.with(this::note), site);
    }

    private Commands.Answer note(Commands.Command command) {
        commands.add(command.program());
        return login.commands().run(command);
    }

    /** Runs a program where Slurm's programs run. */
    Commands.Answer run(String... words) {
        return login.commands().run(Commands.Command.of(LIMIT, List.of(words)));
    }

    /** Returns a spec as nodes can run it, after what they lack was sent to the login node. */
    JobSpec staged(JobSpec spec) {
        return login.remote().orElseThrow().staged(spec);
    }

    /** Returns what has gone wrong in opening a session. */
    static Throwable failureOfOpening(Path directory, Map<String, String> values) {
        return catchThrowable(() -> new KitSession(directory, values).close());
    }

    List<Job> start(JobSpec.Builder spec, int count) {
        List<Submission.Instance> instances = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            instances.add(new Submission.Instance("job-" + i, Secret.empty()));
        }
        return backend.submit(new Submission(spec.build(), instances), record);
    }

    JobTermination awaitEnd(Job job) {
        return record.awaitEnd(job);
    }

    /** Returns how often a program of Slurm was run. */
    long calls(String program) {
        return commands.stream().filter(program::equals).count();
    }

    String sessionId() {
        return context.sessionId();
    }

    @Override
    public void close() {
        backend.close();
    }
}
