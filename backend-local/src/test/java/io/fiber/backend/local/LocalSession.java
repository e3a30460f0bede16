// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.spec.Secret;
import io.fiber.spi.Environment;
import io.fiber.spi.Options;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Reaper;
import io.fiber.spi.backend.Submission;
import io.fiber.tck.backend.BackendFixture;
import io.fiber.tck.fault.Signal;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A backend under test with a session around it, and what its jobs told. */
final class LocalSession implements BackendContext, JobListener, AutoCloseable {

    private final Path directory;
    private final List<List<String>> registered = new CopyOnWriteArrayList<>();
    private final List<JobEvent> events = new CopyOnWriteArrayList<>();
    private final Map<Job, CompletableFuture<JobTermination>> ends = new ConcurrentHashMap<>();
    private final Options options;
    private final LocalBackend backend;

    /** Opens a backend whose own directory lies in this one, where the test may write, too. */
    LocalSession(Path directory) {
        this(directory, "session", Map.of());
    }

    /** Opens a backend with options, beside others in the same directory. */
    LocalSession(Path directory, String name, Map<String, String> options) {
        try {
            this.directory = Files.createDirectory(directory.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.options = BackendFixture.options(new LocalBackendProvider(), options);
        this.backend = new LocalBackend(this);
    }

    static JobSpec.Builder command(String... words) {
        return JobSpec.builder(new Program.Command(List.of(words)));
    }

    static JobSpec.Builder shell(String script) {
        return command("/bin/sh", "-c", script);
    }

    static JobSpec.Builder java(Class<?> main, List<String> jvmOptions, String... arguments) {
        return JobSpec.builder(new Program.Java(
                Optional.empty(),
                jvmOptions,
                List.of(System.getProperty("java.class.path").split(File.pathSeparator)),
                List.of(),
                main.getName(),
                List.of(arguments)));
    }

    Job start(JobSpec.Builder spec) {
        return start(spec, Secret.empty());
    }

    Job start(JobSpec.Builder spec, Secret bootstrap) {
        return backend.submit(Submission.of(spec.build(), "train", bootstrap), this)
                .get(0);
    }

    List<Job> start(JobSpec.Builder spec, int count) {
        List<Submission.Instance> instances = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            instances.add(new Submission.Instance("job-" + i, Secret.empty()));
        }
        return backend.submit(new Submission(spec.build(), instances), this);
    }

    JobTermination awaitEnd(Job job) {
        return end(job).orTimeout(LocalFiber.LIMIT.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    void awaitLog(Job job, String line) {
        await("line '" + line + "' of " + job)
                .atMost(LocalFiber.LIMIT)
                .until(() -> job.logs(100).contains(line));
    }

    private CompletableFuture<JobTermination> end(Job job) {
        return ends.computeIfAbsent(job, key -> new CompletableFuture<>());
    }

    List<JobEvent> eventsOf(Job job) {
        return events.stream().filter(event -> event.job() == job).toList();
    }

    List<JobEvent> events() {
        return events;
    }

    LocalBackend backend() {
        return backend;
    }

    /** Returns the commands that the reaper would run now. */
    List<List<String>> registered() {
        return registered;
    }

    static void assertGone(long pid) {
        await("process " + pid + " gone").atMost(LocalFiber.LIMIT).until(() -> !Signal.isRunning(pid));
    }

    @Override
    public void onEvent(JobEvent event) {
        events.add(event);
        if (event instanceof JobEvent.Ended ended) {
            end(ended.job()).complete(ended.termination());
        }
    }

    @Override
    public String sessionId() {
        return "abcdefghij01";
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
        return Environment.system();
    }

    @Override
    public Reaper reaper() {
        return command -> {
            registered.add(command);
            return () -> registered.remove(command);
        };
    }

    /**
     * Closes the backend and checks that nothing of it is left. On a busy host, {@code close()} may return before the
     * last process has ended.
     */
    @Override
    public void close() {
        backend.close();
        await("registrations at the reaper")
                .atMost(LocalFiber.LIMIT)
                .untilAsserted(() -> assertThat(registered).isEmpty());
        assertThat(directory).as("the directory of the backend").isEmptyDirectory();
        await("threads of the backend gone")
                .atMost(LocalFiber.LIMIT)
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet().stream()
                                .map(Thread::getName)
                                .filter(name -> name.startsWith("fiber-local")))
                        .isEmpty());
    }
}
