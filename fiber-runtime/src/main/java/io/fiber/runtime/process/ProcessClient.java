// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.fiber.FiberException;
import io.fiber.FiberProcess;
import io.fiber.ProcessLostException;
import io.fiber.ProcessStartException;
import io.fiber.ProcessState;
import io.fiber.RemoteTaskException;
import io.fiber.WaitInterruptedException;
import io.fiber.function.RemoteRunnable;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.protocol.WorkerRole;
import io.fiber.runtime.security.SealException;
import io.fiber.runtime.serialization.FunctionResources;
import io.fiber.runtime.serialization.RemoteFailure;
import io.fiber.runtime.serialization.Subject;
import io.fiber.spi.Resources;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A process as a program holds it. Thread-safe. */
public final class ProcessClient implements FiberProcess {

    private static final Subject PROGRAM = new Subject("the program", "a process");

    /**
     * What a process needs of its session.
     *
     * @param supervisor starts it
     * @param context serializes its program
     * @param specs makes the spec of its job
     * @param jobPrefix what the names of the session's jobs begin with
     * @param grace how long {@link #terminate} lets it end by itself
     * @param register is told when it has been started, so that the session ends it
     */
    public record Origin(
            WorkerSupervisor supervisor,
            SessionContext context,
            BiFunction<Resources, JobChoices, JobSpec> specs,
            String jobPrefix,
            Duration grace,
            java.util.function.Consumer<FiberProcess> register) {}

    private final Origin origin;
    private final RemoteRunnable program;
    private final ProcessSettings settings;
    private final String name;
    private final CompletableFuture<FiberProcess> exit = new CompletableFuture<>();
    private @Nullable ProcessDriver driver;

    public ProcessClient(Origin origin, RemoteRunnable program, ProcessSettings settings) {
        this.origin = origin;
        this.program = program;
        this.settings = settings;
        this.name = settings.name().orElseThrow();
    }

    /** Starts the process as {@link io.fiber.FiberProcessBuilder#start} says. */
    public FiberProcess start() {
        ProcessDriver started = launch();
        try {
            started.running().get();
        } catch (InterruptedException e) {
            kill();
            throw interrupted("the start of process '" + name + "'", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
        if (started.ended().isDone() && started.state() == ProcessState.FAILED) {
            throw startFailure(started.ended().join());
        }
        return this;
    }

    private ProcessDriver launch() {
        beginTogether(List.of(this));
        return started();
    }

    /**
     * Starts processes of one session that need the same of their machines, as one submission, and waits for none of them.
     *
     * @throws FiberException when a program cannot be serialized
     * @throws IllegalStateException (FBR-302) when the session is closed
     */
    public static void beginTogether(List<ProcessClient> alike) {
        List<ProcessDriver> drivers = alike.stream().map(ProcessClient::prepare).toList();
        ProcessClient first = alike.get(0);
        JobSpec spec = first.spec();
        List<WorkerSupervisor.WorkerRequest> requests = new ArrayList<>();
        for (int i = 0; i < drivers.size(); i++) {
            requests.add(new WorkerSupervisor.WorkerRequest(
                    alike.get(i).origin.jobPrefix(), WorkerRole.Kind.PROCESS, drivers.get(i)));
        }
        WorkerSupervisor supervisor = first.origin.supervisor();
        if (!first.origin.context().conductor().execute(() -> supervisor.start(spec, requests))) {
            throw new IllegalStateException("FBR-302 Process '" + first.name()
                    + "' cannot be started: its session is closed. Open another one.");
        }
        for (int i = 0; i < drivers.size(); i++) {
            alike.get(i).onLaunched(drivers.get(i));
        }
    }

    private synchronized ProcessDriver prepare() {
        PayloadOutput out = new PayloadOutput();
        origin.context().codecs().values().writeFunction(program, out, PROGRAM);
        return new ProcessDriver(origin.context().seals().close(out.toPayload()));
    }

    private synchronized JobSpec spec() {
        return origin.specs()
                .apply(
                        settings.resources()
                                .orElseGet(() -> FunctionResources.of(program).decided()),
                        settings.choices());
    }

    /** Returns what {@link #start} would submit, if the backend shows that. */
    public Optional<String> preview() {
        return origin.supervisor().preview(spec(), List.of(origin.jobPrefix()));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // no caller waits for what follows the end
    private synchronized void onLaunched(ProcessDriver launched) {
        driver = launched;
        launched.ended().thenRunAsync(this::onEnded, origin.context().callbacks());
        origin.register().accept(this);
    }

    private void onEnded() {
        exit.complete(this);
    }

    /**
     * Returns why it has ended without an exit code of its own: it could not be started, its program threw, or it is lost.
     * Empty while it has not ended, and when it has ended in no such way.
     */
    public Optional<FiberException> terminationFailure() {
        Optional<ProcessDriver.Outcome> known = outcome();
        if (known.isEmpty()) {
            return Optional.empty();
        }
        ProcessDriver.Outcome outcome = known.get();
        if (state() == ProcessState.FAILED) {
            return Optional.of(startFailure(outcome));
        }
        if (outcome.failure().isPresent()) {
            return Optional.of(readFailure(outcome.failure().get()));
        }
        return outcome.end().exitCode().isPresent()
                ? Optional.empty()
                : Optional.of(new ProcessLostException(name(), outcome.end().how(), outcome.lastLines()));
    }

    /** Returns what it wrote last before it ended; empty while it has not ended. */
    public List<String> lastLines() {
        return outcome().map(ProcessDriver.Outcome::lastLines).orElse(List.of());
    }

    private ProcessStartException startFailure(ProcessDriver.Outcome outcome) {
        return outcome.end().kind().startFailure(name(), outcome.end().how(), outcome.lastLines());
    }

    @Override
    public int join() {
        try {
            return exitCode(started().ended().get());
        } catch (InterruptedException e) {
            throw interrupted("the end of process '" + name() + "'", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    @Override
    public OptionalInt join(Duration timeout) {
        try {
            return OptionalInt.of(exitCode(started().ended().get(NANOSECONDS.convert(timeout), NANOSECONDS)));
        } catch (TimeoutException e) {
            return OptionalInt.empty();
        } catch (InterruptedException e) {
            throw interrupted("the end of process '" + name() + "'", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private int exitCode(ProcessDriver.Outcome outcome) {
        return outcome.end()
                .exitCode()
                .orElseThrow(
                        () -> new ProcessLostException(name(), outcome.end().how(), outcome.lastLines()));
    }

    @Override
    public void terminate() {
        end(origin.grace());
    }

    @Override
    public void kill() {
        end(Duration.ZERO);
    }

    private void end(Duration grace) {
        ProcessDriver running = started();
        origin.context().conductor().execute(() -> running.terminate(grace));
    }

    private synchronized ProcessDriver started() {
        return requireNonNull(driver, "driver");
    }

    @Override
    public boolean isAlive() {
        ProcessState now = state();
        return now != ProcessState.NEW && !now.isFinal();
    }

    @Override
    public synchronized ProcessState state() {
        return driver == null ? ProcessState.NEW : driver.state();
    }

    private synchronized Optional<ProcessDriver.Outcome> outcome() {
        return driver == null
                ? Optional.empty()
                : Optional.ofNullable(driver.ended().getNow(null));
    }

    @Override
    public OptionalInt exitCode() {
        return outcome().map(known -> known.end().exitCode()).orElse(OptionalInt.empty());
    }

    @Override
    public Optional<RemoteTaskException> failure() {
        return outcome().flatMap(ProcessDriver.Outcome::failure).map(this::readFailure);
    }

    private RemoteTaskException readFailure(SealedPayload payload) {
        try {
            RemoteFailure failure = origin.context()
                    .codecs()
                    .failures()
                    .read(origin.context().seals().open(payload).open());
            return failure.thrownBy("Process '" + name() + "'");
        } catch (SealException e) {
            throw new io.fiber.SerializationException("FBR-206", "The failure of a process is damaged.", e);
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Optional<String> id() {
        RemoteWorker worker = remote();
        Job job = worker == null ? null : worker.job();
        return Optional.ofNullable(job).map(Job::id);
    }

    private synchronized @Nullable RemoteWorker remote() {
        return driver == null ? null : driver.remote();
    }

    @Override
    public boolean isDaemon() {
        return settings.atClose() == ProcessSettings.AtClose.TERMINATED;
    }

    @Override
    public List<String> logs(int lastLines) {
        if (lastLines < 1) {
            throw new IllegalArgumentException("FBR-305 lastLines is " + lastLines + "; expected at least 1.");
        }
        RemoteWorker worker = remote();
        Job job = worker == null ? null : worker.job();
        return job == null ? List.of() : job.logs(lastLines);
    }

    @Override
    public CompletableFuture<FiberProcess> onExit() {
        return exit.copy();
    }

    @Override
    public String toString() {
        return "FiberProcess[" + name() + ", " + state() + "]";
    }

    private static WaitInterruptedException interrupted(String what, InterruptedException e) {
        Thread.currentThread().interrupt();
        return new WaitInterruptedException(what, e);
    }
}
