// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.catchThrowable;

import io.fiber.spi.Environment;
import io.fiber.spi.Options;
import io.fiber.spi.Secret;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Reaper;
import io.fiber.spi.backend.Submission;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A backend on a real cluster with a session around it, what its jobs told, and the commands that it ran. */
final class KitSession implements BackendContext, JobListener, AutoCloseable {

    static final int LIMIT_SECONDS = 90;

    private final Path directory;
    private final Environment environment;
    private final String sessionId;
    private final Options options;
    private final List<String> commands = new CopyOnWriteArrayList<>();
    private final Map<Job, CompletableFuture<JobTermination>> ends = new ConcurrentHashMap<>();
    private final Login login;
    private final SlurmBackend backend;

    /** Opens a session on this host, or on the login node that the values name. */
    KitSession(Path directory, Map<String, String> values) {
        this(directory, values, Environment.system());
    }

    /** Opens a session in an environment. */
    KitSession(Path directory, Map<String, String> values, Environment environment) {
        this.directory = directory;
        this.environment = environment;
        // Of its own: what an earlier one has left is cancelled by its name.
        this.sessionId = "kit" + UUID.randomUUID().toString().replace("-", "").substring(0, 9);
        Map<String, String> all = new TreeMap<>(values);
        all.putIfAbsent("directory", directory.resolve("shared").toString());
        all.putIfAbsent("memory", "64m");
        this.options = SlurmFixture.options(all);
        SiteOptions site = SiteOptions.of(options);
        LocalCommands local = new LocalCommands(directory, environment, site::leavesToTheUser);
        this.login = SshOptions.of(options, directory)
                .map(ssh -> SshLogin.open(this, ssh, site, List.of("sbatch")))
                .orElseGet(() -> Login.here(local, Optional.of(local::start)));
        this.backend = new SlurmBackend(this, login.with(this::note), site);
    }

    private Commands.Answer note(Commands.Command command) {
        commands.add(command.program());
        return login.commands().run(command);
    }

    /** Runs a program where Slurm's programs run. */
    Commands.Answer run(String... words) {
        return login.commands().run(Commands.Command.of(Duration.ofSeconds(LIMIT_SECONDS), List.of(words)));
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
        return backend.submit(new Submission(spec.build(), instances), this);
    }

    JobTermination awaitEnd(Job job) {
        return end(job).orTimeout(LIMIT_SECONDS, TimeUnit.SECONDS).join();
    }

    private CompletableFuture<JobTermination> end(Job job) {
        return ends.computeIfAbsent(job, key -> new CompletableFuture<>());
    }

    /** Returns how often a program of Slurm was run. */
    long calls(String program) {
        return commands.stream().filter(program::equals).count();
    }

    @Override
    public void onEvent(JobEvent event) {
        if (event instanceof JobEvent.Ended ended) {
            end(ended.job()).complete(ended.termination());
        }
    }

    @Override
    public String sessionId() {
        return sessionId;
    }

    @Override
    public Path directory() {
        return directory;
    }

    @Override
    public Options options() {
        return options;
    }

    @Override
    public Environment environment() {
        return environment;
    }

    @Override
    public Reaper reaper() {
        return command -> () -> {};
    }

    @Override
    public void close() {
        backend.close();
    }
}
