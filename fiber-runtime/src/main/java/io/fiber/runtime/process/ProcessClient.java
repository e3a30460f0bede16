// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import static java.util.Objects.requireNonNull;

import io.fiber.FiberException;
import io.fiber.FiberProcess;
import io.fiber.ProcessLostException;
import io.fiber.ProcessStartException;
import io.fiber.ProcessState;
import io.fiber.RemoteTaskException;
import io.fiber.WaitInterruptedException;
import io.fiber.function.RemoteRunnable;
import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.platform.BackendFailure;
import io.fiber.runtime.platform.SessionThreads;
import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.protocol.WorkerRole;
import io.fiber.runtime.protocol.codec.UnreadyDecoder;
import io.fiber.runtime.serialization.ValueName;
import io.fiber.runtime.serialization.functions.FunctionResources;
import io.fiber.spec.EndCause;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The handle of a process that runs one program. Thread-safe. */
public final class ProcessClient implements FiberProcess {

    private static final ValueName PROGRAM = new ValueName("the program", "a process");

    private final Origin origin;
    private final RemoteRunnable program;
    private final ProcessSettings settings;
    private final String name;
    private final CompletableFuture<FiberProcess> exit = new CompletableFuture<>();
    private final Conducted conducted = new Conducted();
    /** Completed when the process runs, or has ended. */
    private final CompletableFuture<@Nullable Void> running = new CompletableFuture<>();
    /** Completed when the process has ended. */
    private final CompletableFuture<Outcome> ended = new CompletableFuture<>();

    private volatile @Nullable RemoteWorker remote;
    private volatile ProcessState state = ProcessState.SUBMITTED;
    private volatile boolean hasRun;

    public ProcessClient(Origin origin, RemoteRunnable program, ProcessSettings settings) {
        this.origin = origin;
        this.program = program;
        this.settings = settings;
        this.name = settings.name().orElseThrow();
    }

    /** Starts the process as described at {@link io.fiber.FiberProcessBuilder#start}. */
    public FiberProcess start() {
        beginTogether(List.of(this));
        try {
            SessionThreads.await(running, SessionThreads.FOREVER, "the start of process '" + name + "'");
        } catch (WaitInterruptedException e) {
            kill();
            throw e;
        }
        if (ended.isDone() && hasFailedToStart()) {
            throw startFailure(ended.join());
        }
        return this;
    }

    /** Returns whether the process ended without being asked to, and its program never ran. */
    private boolean hasFailedToStart() {
        return state == ProcessState.FAILED || (state == ProcessState.LOST && !hasRun);
    }

    /**
     * Starts processes of one session with equal jobs as one submission, without waiting for them.
     *
     * @throws FiberException if a program cannot be serialized
     * @throws IllegalStateException (FBR-302) if the session is closed
     */
    public static void beginTogether(List<ProcessClient> alike) {
        List<WorkerSupervisor.WorkerRequest> requests =
                alike.stream().map(ProcessClient::request).toList();
        ProcessClient first = alike.get(0);
        JobSpec spec = first.spec();
        WorkerSupervisor supervisor = first.origin.supervisor();
        if (!first.origin.context().conductor().execute(() -> supervisor.start(spec, requests))) {
            throw new IllegalStateException("FBR-302 Process '" + first.name()
                    + "' cannot be started: its session is closed. Open another one with Fiber.open().");
        }
        for (ProcessClient process : alike) {
            process.onLaunched();
        }
    }

    private WorkerSupervisor.WorkerRequest request() {
        conducted.sealedProgram = origin.context().sealFunction(program, PROGRAM);
        return new WorkerSupervisor.WorkerRequest(
                origin.supervisor().takeNumbers(1), origin.jobPrefix(), WorkerRole.Kind.PROCESS, 1, conducted);
    }

    private JobSpec spec() {
        JobSpec wanted = settings.job();
        if (wanted.resources().isUnspecified()) {
            wanted = wanted.toBuilder()
                    .resources(FunctionResources.of(program).decided())
                    .build();
        }
        return origin.specs().apply(wanted);
    }

    /** Returns what {@link #start} would submit, if the backend can show it. */
    public Optional<String> preview() {
        return origin.supervisor().preview(spec(), List.of(origin.jobPrefix()));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // no caller waits for what follows the end
    private void onLaunched() {
        ended.thenRunAsync(() -> exit.complete(this), origin.context().callbacks());
        origin.register().accept(this);
    }

    /**
     * Returns why the process ended without an exit code of its own: it could not be started, its program threw, or it
     * was lost. Empty if it has not ended or ended in another way.
     */
    public Optional<FiberException> terminationFailure() {
        Optional<Outcome> known = outcome();
        if (known.isEmpty()) {
            return Optional.empty();
        }
        Outcome outcome = known.get();
        if (state() == ProcessState.FAILED) {
            return Optional.of(startFailure(outcome));
        }
        if (outcome.failure().isPresent()) {
            return Optional.of(readFailure(outcome.failure().get()));
        }
        return outcome.end().exitCode().isPresent() ? Optional.empty() : Optional.of(lost(outcome));
    }

    /** Returns the last lines of output; empty if the process has not ended. */
    public List<String> lastLines() {
        return outcome().map(known -> known.end().lastLines()).orElse(List.of());
    }

    private ProcessStartException startFailure(Outcome outcome) {
        return outcome.end().startFailure(name, Optional.empty()).exception();
    }

    private ProcessLostException lost(Outcome outcome) {
        List<String> lines = outcome.end().lastLines();
        return new ProcessLostException(
                "Process '" + name + "' has no exit code: "
                        + OutputLines.sentence(outcome.end().how()) + OutputLines.describe(lines),
                lines);
    }

    @Override
    public int join() {
        return join(SessionThreads.FOREVER).orElseThrow();
    }

    @Override
    public OptionalInt join(Duration timeout) {
        return SessionThreads.await(ended, timeout, "the end of process '" + name + "'")
                ? OptionalInt.of(exitCode(ended.join()))
                : OptionalInt.empty();
    }

    private int exitCode(Outcome outcome) {
        return outcome.end().exitCode().orElseThrow(() -> lost(outcome));
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
        origin.context().conductor().execute(() -> conducted.terminate(grace));
    }

    @Override
    public boolean isAlive() {
        return !state().isFinal();
    }

    @Override
    public ProcessState state() {
        return state;
    }

    private Optional<Outcome> outcome() {
        return Optional.ofNullable(ended.getNow(null));
    }

    @Override
    public OptionalInt exitCode() {
        return outcome().map(known -> known.end().exitCode()).orElse(OptionalInt.empty());
    }

    @Override
    public Optional<EndCause> cause() {
        return outcome().map(known -> known.end().cause());
    }

    @Override
    public Optional<RemoteTaskException> failure() {
        return outcome().flatMap(Outcome::failure).map(this::readFailure);
    }

    private RemoteTaskException readFailure(SealedPayload payload) {
        return origin.context()
                .readFailure(payload, "The exception of a process arrived damaged.")
                .thrownBy("Process '" + name + "'");
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Optional<String> id() {
        return Optional.ofNullable(job()).map(Job::id);
    }

    private @Nullable Job job() {
        RemoteWorker worker = remote;
        return worker == null ? null : worker.job();
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
        Job job = job();
        return job == null ? List.of() : BackendFailure.call(() -> job.logs(lastLines));
    }

    @Override
    public CompletableFuture<FiberProcess> onExit() {
        return exit.copy();
    }

    @Override
    public String toString() {
        return "FiberProcess[" + name() + ", " + state() + "]";
    }

    /**
     * What a process needs from its session.
     *
     * @param register receives each started process, so that the session ends it
     */
    public record Origin(
            WorkerSupervisor supervisor,
            SessionContext context,
            UnaryOperator<JobSpec> specs,
            String jobPrefix,
            Duration grace,
            Consumer<FiberProcess> register) {}

    /** How the process ended, and what its program threw. */
    private record Outcome(ProcessEnd end, Optional<SealedPayload> failure) {}

    /** The process as its conductor sees it. Belongs to the conductor. */
    private final class Conducted implements WorkerOwner {
        private Optional<SealedPayload> failure = Optional.empty();
        private @Nullable Duration graceBeforeRegistered;
        private @Nullable SealedPayload sealedProgram;

        @Override
        public void onRegistered(RemoteWorker worker) {
            remote = worker;
            if (graceBeforeRegistered != null) {
                worker.terminate(graceBeforeRegistered);
            }
        }

        @Override
        public void onUnregistered(Throwable fault) {
            ProcessEnd end = new ProcessEnd(
                    ProcessState.FAILED,
                    OptionalInt.empty(),
                    EndCause.START_FAILED,
                    "this program cannot start processes, because of " + fault,
                    ProcessEnd.Kind.NOT_SUBMITTED);
            state = end.state();
            ended.complete(new Outcome(end, Optional.empty()));
            running.complete(null);
        }

        /** Ends the process as soon as it has been registered. */
        void terminate(Duration grace) {
            RemoteWorker worker = remote;
            if (worker == null) {
                graceBeforeRegistered = grace;
            } else {
                worker.terminate(grace);
                if (!ended.isDone() && !worker.state().isFinal()) {
                    state = worker.state();
                }
            }
        }

        @Override
        public void onWelcomed(RemoteWorker worker) {
            worker.post(Messages.define(WorkerRole.START_FUNCTION, requireNonNull(sealedProgram, "program")));
            state = worker.state();
        }

        @Override
        public void onReady(RemoteWorker worker) {
            state = worker.state();
            hasRun = true;
            running.complete(null);
        }

        @Override
        public void onMessage(RemoteWorker worker, Message message) {
            if (message.templateId() == UnreadyDecoder.TEMPLATE_ID) {
                failure = Optional.of(message.payload());
            }
        }

        @Override
        public void onEnded(RemoteWorker worker, ProcessEnd end) {
            state = end.state();
            warnIfLost(end);
            ended.complete(new Outcome(end, failure));
            running.complete(null);
        }

        /** An exit code alone, such as 137, does not say that the platform ended the process, nor why. */
        private void warnIfLost(ProcessEnd end) {
            boolean isTold = end.kind() == ProcessEnd.Kind.HALTED || end.cause() == EndCause.CANCELLED;
            if (end.state() == ProcessState.LOST && !isTold) {
                Logs.of(ProcessClient.class)
                        .log(
                                System.Logger.Level.WARNING,
                                "FBR-317 Process '" + name + "' did not end on its own: " + end.how());
            }
        }
    }
}
