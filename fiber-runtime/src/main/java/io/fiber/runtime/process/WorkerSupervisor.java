// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import static java.util.Objects.requireNonNull;

import io.fiber.FiberException;
import io.fiber.ProcessState;
import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.eventloop.Duty;
import io.fiber.runtime.eventloop.Peer;
import io.fiber.runtime.logging.Faults;
import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.platform.BackendFailure;
import io.fiber.runtime.platform.ClassPathSnapshot;
import io.fiber.runtime.protocol.Bootstrap;
import io.fiber.runtime.protocol.ProcessAddress;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.ProviderName;
import io.fiber.runtime.protocol.WorkerRole;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.security.HandshakeTerms;
import io.fiber.runtime.security.JobKey;
import io.fiber.runtime.security.MasterHandshake;
import io.fiber.runtime.security.PayloadKey;
import io.fiber.runtime.security.Seals;
import io.fiber.spec.Secret;
import io.fiber.spi.CallerHost;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Submission;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.Transport;
import io.fiber.spi.transport.TransportException;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import org.agrona.collections.Int2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What all processes of a session share: the backend that starts them, the transport that reaches them, and the keys
 * that identify them. Belongs to the conductor. Anything that may block, such as a submission, runs on the session's
 * executor and returns as a command.
 */
public final class WorkerSupervisor implements Duty {

    private static final System.Logger LOG = Logs.of(WorkerSupervisor.class);
    private static final int LAST_LINES = 20;
    /** Limits of starts and ends are seconds, so checking at this interval is accurate enough. */
    private static final long TICK_NS = 10_000_000;

    /** Stands for the bootstrap in a preview, because a worker's bootstrap is never shown. */
    private static final Secret STAND_IN = Secret.of(new byte[1]);

    private static final int LEAST_STARTS_AT_ONCE = 2;

    private final Terms terms;
    private final Conductor conductor;
    private final Transport transport;
    private final Backend backend;
    private final Executor executor;
    private final SecureRandom random = new SecureRandom();
    private final PayloadKey payloadKey = PayloadKey.random(random);
    private final Int2ObjectHashMap<RemoteWorker> workers = new Int2ObjectHashMap<>();
    private final StartFailureClassifier startFailures = new StartFailureClassifier();
    private final List<RemoteWorker> ticking = new ArrayList<>();
    private final ArrayDeque<Start> unstarted = new ArrayDeque<>();
    /** The ends of workers whose owners will be told when the last output has been fetched. */
    private final Map<RemoteWorker, ProcessEnd> untold = new HashMap<>();

    private final List<WaitNotifier> waitNotifiers = new ArrayList<>();
    private final ArrayDeque<Link> spareLinks = new ArrayDeque<>();
    private @Nullable Routes routes;
    private final AtomicLong refusals = new AtomicLong();
    private boolean confined;
    private long lastTickNs;

    /** Creates a supervisor; tasks of {@code executor} may block. */
    public WorkerSupervisor(Terms terms, Conductor conductor, Transport transport, Backend backend, Executor executor) {
        this.terms = terms;
        this.conductor = conductor;
        this.transport = transport;
        this.backend = backend;
        this.executor = executor;
        this.lastTickNs = conductor.nowNs();
    }

    /**
     * Opens the first link before it is needed, which starts the transport, and returns whether links are confined.
     *
     * @throws TransportException if the transport cannot listen
     */
    public boolean openFirstLink() {
        Link link = transport.invite();
        spareLinks.add(link);
        confined = link.isConfined();
        return confined;
    }

    public PayloadKey payloadKey() {
        return payloadKey;
    }

    /** Sets the routes of calls. Called by the conductor before the first worker starts. */
    public void serveCalls(Routes ofWorkers) {
        routes = ofWorkers;
    }

    Routes routes() {
        return requireNonNull(routes, "routes");
    }

    /** Returns the worker at this path; null if it is not a worker of this session. Called by the conductor. */
    public @Nullable RemoteWorker worker(ProcessPath path) {
        RemoteWorker worker = workers.get(path.number());
        return worker != null && worker.address().path().equals(path) ? worker : null;
    }

    /**
     * Takes consecutive numbers for workers that will be started, and returns the first. With a count of 0, no number
     * is taken. A number is never reused. Thread-safe.
     */
    public int takeNumbers(int count) {
        return terms.numbers().applyAsInt(count);
    }

    /**
     * Returns how many workers of one pool should start at the same time. Workers on this host's processors would delay
     * each other, and the first result arrives when one of them is ready.
     */
    public int startsAtOnce() {
        return startsOnThisHost()
                ? Math.max(LEAST_STARTS_AT_ONCE, Runtime.getRuntime().availableProcessors())
                : Integer.MAX_VALUE;
    }

    /** Returns how many workers a pool has if the program does not say so. */
    public int slots() {
        return backend.slots().orElse(Runtime.getRuntime().availableProcessors());
    }

    /** Returns whether workers share this host's processors. */
    public boolean startsOnThisHost() {
        return backend.callerHost().reach() == CallerHost.Reach.SAME_HOST;
    }

    /** Returns the workers whose jobs run. */
    List<RemoteWorker> running() {
        return workers.values().stream()
                .filter(worker -> worker.job() != null)
                .filter(worker -> worker.state() == ProcessState.STARTING || worker.state() == ProcessState.RUNNING)
                .toList();
    }

    /** Returns how many workers have not ended. */
    public int size() {
        return workers.size();
    }

    public long nowNs() {
        return conductor.nowNs();
    }

    /** Counts a peer that did not prove its key. Thread-safe. */
    public void countRefusal() {
        refusals.incrementAndGet();
    }

    /** Closes the connection over which a damaged payload arrived. Thread-safe. */
    public void onDamage(int sealer, String what) {
        conductor.execute(() -> {
            RemoteWorker worker = workers.get(sealer);
            if (worker != null) {
                worker.refuse(what);
            }
        });
    }

    /**
     * Returns how many peers failed to prove their identity, or sent data that the proven peer did not send.
     * Thread-safe.
     */
    public long refusals() {
        return refusals.get();
    }

    /** Returns the transport's counters. Thread-safe. */
    public Map<String, Long> transportCounters() {
        return transport.counters();
    }

    /**
     * Returns what would be submitted for workers with these names, if the backend can show it. Thread-safe; may block
     * as {@link Backend#preview} does.
     *
     * @throws FiberException if the backend rejects the jobs
     */
    public Optional<String> preview(JobSpec spec, List<String> names) {
        List<Submission.Instance> instances = names.stream()
                .map(name -> new Submission.Instance(name, STAND_IN))
                .toList();
        return BackendFailure.call(() -> backend.preview(new Submission(spec, instances)));
    }

    /**
     * Starts workers with equal jobs as one submission. Their owners are told what happens, even if nothing could be
     * started.
     */
    public void start(JobSpec spec, List<WorkerRequest> requests) {
        unstarted.add(new Start(spec, requests));
        conductor.later(conductor.awaited(this::startNext));
    }

    private long countWorking() {
        return workers.values().stream()
                .filter(worker -> worker.state() == ProcessState.RUNNING)
                .count();
    }

    private void startNext() {
        Start next = unstarted.remove();
        List<WorkerRequest> requests = next.requests();
        List<RemoteWorker> registered = new ArrayList<>();
        List<Submission.Instance> instances = new ArrayList<>();
        JobSubmission jobs = new JobSubmission(backend, conductor, startFailures, registered);
        try {
            for (WorkerRequest request : requests) {
                Link link = spareLinks.isEmpty() ? invite() : spareLinks.remove();
                prepare(request, link, registered, instances);
            }
            startFailures.isOver();
            blocking(
                    () -> jobs.submit(new Submission(next.spec(), instances)),
                    thrown -> jobs.refuse("No thread could be started to submit the job", thrown));
            if (requests.get(0).kind() == WorkerRole.Kind.PROCESS) {
                waitNotifiers.add(
                        new WaitNotifier(registered, nowNs(), line -> LOG.log(System.Logger.Level.INFO, line)));
            }
        } catch (Throwable e) {
            registerRest(requests, registered);
            if (e instanceof TransportException failure) {
                jobs.refuse(startFailures.kindOf(failure, countWorking()), failure.getMessage());
            } else {
                jobs.refuse("The transport could not create a link", e);
            }
        }
    }

    /** Registers the workers that got no link, so that their owners are told of their end. */
    private void registerRest(List<WorkerRequest> requests, List<RemoteWorker> registered) {
        try {
            for (WorkerRequest request : requests.subList(registered.size(), requests.size())) {
                registered.add(registerWithoutLink(request));
            }
        } catch (Throwable thrown) {
            for (WorkerRequest request : requests) {
                request.owner().onUnregistered(thrown);
            }
            throw thrown;
        }
    }

    /**
     * Opens a link. Payloads are sealed or not for the whole session, so a link must not be more open than the first
     * one.
     */
    private Link invite() {
        Link link = transport.invite();
        if (confined && !link.isConfined()) {
            link.close();
            throw new TransportException(
                    TransportException.Kind.INTERNAL,
                    "The transport made a link that others can reach, '"
                            + link.address().text()
                            + "', in a session whose payloads are not sealed because its first link was confined.");
        }
        return link;
    }

    private void prepare(
            WorkerRequest request, Link link, List<RemoteWorker> registered, List<Submission.Instance> instances) {
        JobKey key = JobKey.random(random);
        RemoteWorker worker = register(request, link.isConfined(), key);
        registered.add(worker);
        Peer peer = conductor.addPeer(link, worker);
        worker.connect(peer);
        instances.add(new Submission.Instance(request.name(), bootstrap(worker, key, link)));
    }

    /** Registers a worker whose key no process will ever have. */
    private RemoteWorker registerWithoutLink(WorkerRequest request) {
        return register(request, false, JobKey.random(random));
    }

    private RemoteWorker register(WorkerRequest request, boolean confined, JobKey key) {
        ProcessAddress here = routes().router().processAddress();
        ProcessAddress there = new ProcessAddress(here.program(), here.path().child(request.number()));
        WorkerRole role = new WorkerRole(request.kind(), request.threads(), routes().services());
        RemoteWorker worker = new RemoteWorker(
                this,
                new RemoteWorker.WorkerAssignment(there, request.name(), role, request.owner()),
                terms.limits(),
                new MasterHandshake(HandshakeTerms.of(terms.sessionId(), request.number(), confined), key, random));
        workers.put(request.number(), worker);
        worker.machine.onSubmit();
        request.owner().onRegistered(worker);
        return worker;
    }

    private Secret bootstrap(RemoteWorker worker, JobKey key, Link link) {
        return new Bootstrap(
                        terms.sessionId(),
                        worker.address(),
                        key.secret(),
                        worker.name(),
                        terms.parent(),
                        terms.transport(),
                        link.address(),
                        link.maxFrameLength(),
                        terms.config(),
                        terms.properties(),
                        terms.classPath())
                .encode();
    }

    /** Forgets an ended worker, fetches its last output for its owner, and removes what it left. */
    void retire(RemoteWorker worker, ProcessEnd end) {
        workers.remove(worker.number());
        routes().router().disconnect(worker.address().path(), "'" + worker.name() + "' has ended: " + end.how());
        untold.put(worker, end);
        Job job = worker.job();
        if (job == null) {
            conductor.execute(() -> tellEnd(worker, List.of()));
            return;
        }
        Runnable asking = () -> {
            List<String> lines = lastLines(job, LAST_LINES);
            conductor.execute(() -> tellEnd(worker, lines));
            Faults.isolated(
                    WorkerSupervisor.class,
                    "The leftovers of a worker could not be removed.",
                    transport::removeRemains);
        };
        blocking(asking, thrown -> conductor.execute(() -> tellEnd(worker, List.of())));
    }

    private void tellEnd(RemoteWorker worker, List<String> lastLines) {
        ProcessEnd end = untold.remove(worker);
        if (end != null) {
            worker.tellEnd(end.withLastLines(lastLines));
        }
    }

    /** Returns the last lines of a job, or why they cannot be read. May block. */
    static List<String> lastLines(Job job, int lines) {
        try {
            return List.copyOf(job.logs(lines));
        } catch (UnsupportedOperationException | BackendException e) {
            return List.of();
        } catch (Throwable e) {
            return List.of("(The backend could not read the last lines: " + e + ")");
        }
    }

    /** Runs a task on a thread that may block. If there is no memory for a thread, {@code instead} is told. */
    void blocking(Runnable task, Consumer<Throwable> instead) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException e) {
            task.run();
        } catch (OutOfMemoryError e) {
            instead.accept(e);
        }
    }

    @Override
    public int doWork(long nowNs) {
        if (nowNs - lastTickNs >= TICK_NS) {
            lastTickNs = nowNs;
            tick(nowNs);
        }
        return 0;
    }

    /** Ticks all workers. A tick may remove a worker from the map; the reused list avoids a copy for each tick. */
    private void tick(long nowNs) {
        for (RemoteWorker worker : workers.values()) {
            ticking.add(worker);
        }
        for (int i = 0; i < ticking.size(); i++) {
            ticking.get(i).machine.onTick(nowNs);
        }
        ticking.clear();
        waitNotifiers.removeIf(notifier -> !notifier.look(nowNs));
    }

    @Override
    public boolean isTimed() {
        for (RemoteWorker worker : workers.values()) {
            if (worker.machine.isTimed()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void onClose() {
        abandonAll("the I/O thread of its session has stopped");
    }

    @Override
    public void onFault(Throwable fault) {
        abandonAll("the I/O thread of its session has stopped, because of " + fault);
    }

    /** Tells all owners now about failed starts and ended workers, because no command of this conductor follows. */
    private void abandonAll(String why) {
        for (; !unstarted.isEmpty(); unstarted.remove()) {
            Faults.conducted(
                    WorkerSupervisor.class,
                    "A pending start could not be ended.",
                    () -> unstarted.element().requests().forEach(this::registerWithoutLink));
        }
        for (RemoteWorker worker : List.copyOf(workers.values())) {
            Faults.conducted(
                    WorkerSupervisor.class, "The end of a worker could not be reported.", () -> worker.abandon(why));
            workers.remove(worker.number());
        }
        for (RemoteWorker worker : List.copyOf(untold.keySet())) {
            Faults.conducted(
                    WorkerSupervisor.class,
                    "The end of a worker could not be reported.",
                    () -> tellEnd(worker, List.of()));
        }
    }

    /** Kills all workers. */
    public void killAll() {
        for (RemoteWorker worker : List.copyOf(workers.values())) {
            worker.terminate(java.time.Duration.ZERO);
        }
    }

    /**
     * What a supervisor is told about its session.
     *
     * @param parent name of this process
     * @param classPath the program's class path, if workers read the same files
     * @param numbers takes a count of consecutive numbers for workers, and returns the first
     */
    public record Terms(
            String sessionId,
            String parent,
            ProviderName transport,
            Map<String, String> config,
            Map<String, String> properties,
            ClassPathSnapshot classPath,
            ProcessMachine.Limits limits,
            IntUnaryOperator numbers) {}

    /** The routes by which calls of objects reach workers and arrive from them. */
    public record Routes(RpcRouter router, Seals seals, WorkerRole.Services services) {}

    private record Start(JobSpec spec, List<WorkerRequest> requests) {}

    /**
     * A request to start a worker.
     *
     * @param number a number that {@link #takeNumbers} returned
     */
    public record WorkerRequest(int number, String name, WorkerRole.Kind kind, int threads, WorkerOwner owner) {}
}
