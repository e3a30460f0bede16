// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import static java.util.Objects.requireNonNull;

import io.fiber.ProcessState;
import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.eventloop.Duty;
import io.fiber.runtime.eventloop.Peer;
import io.fiber.runtime.logging.Faults;
import io.fiber.runtime.logging.Logs;
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
import io.fiber.spi.CallerHost;
import io.fiber.spi.Secret;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Submission;
import io.fiber.spi.backend.TooManyJobsException;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.Transport;
import io.fiber.spi.transport.TransportException;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What all processes of a session share: the backend that starts them, the transport that reaches them, the keys by which
 * they are known. Belongs to the conductor; what may block, such as a submission, runs on the session's executor and comes
 * back as a command.
 */
public final class WorkerSupervisor implements Duty {

    private static final System.Logger LOG = Logs.of(WorkerSupervisor.class);
    private static final int LAST_LINES = 20;
    /** Limits of starts and ends are seconds; looking this often is exact enough. */
    private static final long TICK_NS = 10_000_000;

    /** Stands for the bootstrap in a preview: every worker has one, and that of none is shown. */
    private static final Secret STAND_IN = Secret.of(new byte[1]);

    private static final int LEAST_STARTS_AT_ONCE = 2;

    /**
     * What a supervisor is told about its session.
     *
     * @param parent name of this process
     * @param classPath the program's, if workers read the same files
     * @param jobNumbers numbers that no other job of this process has
     */
    public record Terms(
            String sessionId,
            String parent,
            ProviderName transport,
            Map<String, String> config,
            Map<String, String> properties,
            ClassPathSnapshot classPath,
            ProcessMachine.Limits limits,
            LongSupplier jobNumbers) {}

    /** How calls of objects reach the workers and come from them. */
    public record Routes(RpcRouter router, Seals seals, WorkerRole.Services services) {}

    private final Terms terms;
    private final Conductor conductor;
    private final Transport transport;
    private final Backend backend;
    private final Executor executor;
    private final SecureRandom random = new SecureRandom();
    private final PayloadKey payloadKey = PayloadKey.random(random);
    private final Long2ObjectHashMap<RemoteWorker> workers = new Long2ObjectHashMap<>();
    private final StartFailureClassifier startFailures = new StartFailureClassifier();
    private final List<RemoteWorker> ticking = new ArrayList<>();
    private final ArrayDeque<Start> unstarted = new ArrayDeque<>();
    /** The owners of workers that have ended, who wait for what those wrote last. */
    private final List<Consumer<List<String>>> untold = new ArrayList<>();

    private final ArrayDeque<Link> spareLinks = new ArrayDeque<>();
    private @Nullable Routes routes;
    private final AtomicLong refusals = new AtomicLong();
    private boolean confined;
    private long lastTickNs;

    /** Creates a supervisor; {@code executor} may block. */
    public WorkerSupervisor(Terms terms, Conductor conductor, Transport transport, Backend backend, Executor executor) {
        this.terms = terms;
        this.conductor = conductor;
        this.transport = transport;
        this.backend = backend;
        this.executor = executor;
        this.lastTickNs = conductor.nowNs();
    }

    /**
     * Opens the first link ahead of its use, which starts the transport, and tells whether links are confined.
     *
     * @throws TransportException when the transport cannot listen
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

    /** Sets how calls reach the workers and come from them, before the first is started. Called by the conductor. */
    public void serveCalls(Routes ofWorkers) {
        routes = ofWorkers;
    }

    Routes routes() {
        return requireNonNull(routes, "routes");
    }

    /** Returns the worker that stands there; null when that is no worker of this session. Called by the conductor. */
    public @Nullable RemoteWorker worker(ProcessPath path) {
        RemoteWorker worker = path.depth() == 0 ? null : workers.get(path.number(path.depth() - 1));
        return worker != null && worker.address().path().equals(path) ? worker : null;
    }

    /**
     * Returns how many workers of one pool should be starting at the same time. Those that share this host's processors
     * would only hold each other up: the first result comes when one of them is ready.
     */
    public int startsAtOnce() {
        return startsOnThisHost()
                ? Math.max(LEAST_STARTS_AT_ONCE, Runtime.getRuntime().availableProcessors())
                : Integer.MAX_VALUE;
    }

    /** Returns how many workers a pool has of which the program does not say it. */
    public int slots() {
        return backend.slots().orElse(Runtime.getRuntime().availableProcessors());
    }

    /** Tells whether workers share this host's processors. */
    public boolean startsOnThisHost() {
        return backend.callerHost().reach() == CallerHost.Reach.SAME_HOST;
    }

    /** Returns how many workers have not ended. */
    public int size() {
        return workers.size();
    }

    public long nowNs() {
        return conductor.nowNs();
    }

    /** Counts a peer that did not show its key. Any thread may call it. */
    public void countRefusal() {
        refusals.incrementAndGet();
    }

    /** Ends the connection over which a damaged payload came. Any thread may call it. */
    public void onDamage(int sealer, String what) {
        conductor.execute(() -> {
            RemoteWorker worker = workers.get(sealer - 1L);
            if (worker != null) {
                worker.refuse(what);
            }
        });
    }

    /**
     * Returns how many peers failed to prove themselves, or sent what the one that had proven itself did not. Any thread
     * may call it.
     */
    public long refusals() {
        return refusals.get();
    }

    /** Returns what the transport has counted. Any thread may call it. */
    public Map<String, Long> transportCounters() {
        return transport.counters();
    }

    private record Start(JobSpec spec, List<WorkerRequest> requests) {}

    /** A worker that will be started. */
    public record WorkerRequest(String name, WorkerRole.Kind kind, int threads, WorkerOwner owner) {}

    /**
     * Returns what would be submitted for workers of these names, if the backend shows it. For any thread; may block as
     * {@link Backend#preview} does.
     */
    public Optional<String> preview(JobSpec spec, List<String> names) {
        return backend.preview(new Submission(
                spec,
                names.stream()
                        .map(name -> new Submission.Instance(name, STAND_IN))
                        .toList()));
    }

    /**
     * Starts workers, all of one spec, as one submission. Their owners are told of everything that follows, also when
     * nothing could be started.
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
        try {
            for (WorkerRequest request : requests) {
                Link link = spareLinks.isEmpty() ? invite() : spareLinks.remove();
                prepare(request, link, registered, instances);
            }
            startFailures.isOver();
            submit(next.spec(), registered, instances);
        } catch (Throwable e) {
            registerRest(requests, registered);
            if (e instanceof TransportException failure) {
                refuse(registered, startFailures.kindOf(failure, countWorking()), failure.getMessage());
            } else {
                refuse(registered, "The transport made no link", e);
            }
        }
    }

    /** Those that got no link are registered too, so that their owners are told of their end. */
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

    /** Payloads are sealed or not for the whole session, so a link must not be more open than the first one was. */
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

    /** No process will ever have its key. */
    private RemoteWorker registerWithoutLink(WorkerRequest request) {
        return register(request, false, JobKey.random(random));
    }

    private RemoteWorker register(WorkerRequest request, boolean confined, JobKey key) {
        long jobNumber = terms.jobNumbers().getAsLong();
        ProcessAddress here = routes().router().processAddress();
        ProcessAddress there = new ProcessAddress(here.program(), here.path().child(Math.toIntExact(jobNumber)));
        WorkerRole role =
                new WorkerRole(request.kind(), Math.toIntExact(jobNumber + 1), request.threads(), routes().services());
        RemoteWorker worker = new RemoteWorker(
                this,
                new RemoteWorker.WorkerAssignment(jobNumber, there, request.name(), role, request.owner()),
                terms.limits(),
                new MasterHandshake(HandshakeTerms.of(terms.sessionId(), jobNumber, confined), key, random));
        workers.put(jobNumber, worker);
        worker.machine.onSubmit();
        request.owner().onRegistered(worker);
        return worker;
    }

    private Secret bootstrap(RemoteWorker worker, JobKey key, Link link) {
        return new Bootstrap(
                        terms.sessionId(),
                        worker.address(),
                        worker.jobNumber(),
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

    private void submit(JobSpec spec, List<RemoteWorker> registered, List<Submission.Instance> instances) {
        Map<String, RemoteWorker> byName = new java.util.HashMap<>();
        registered.forEach(worker -> byName.put(worker.name(), worker));
        JobListener listener = event -> onEvent(byName, event);
        Runnable submitting = () -> submit(new Submission(spec, instances), registered, listener);
        blocking(submitting, thrown -> refuse(registered, "No thread could submit it", thrown));
    }

    /** Where the platform does not take all, fewer at a time, until it takes no more. */
    private void submit(Submission submission, List<RemoteWorker> registered, JobListener listener) {
        int count = registered.size();
        int atOnce = count;
        for (int begin = 0; begin < count; ) {
            int end = Math.min(count, begin + atOnce);
            List<RemoteWorker> left = registered.subList(begin, count);
            try {
                List<Job> jobs = backend.submit(
                        new Submission(submission.spec(), submission.instances().subList(begin, end)), listener);
                conductor.execute(() -> submitted(left, jobs));
                begin = end;
            } catch (TooManyJobsException e) {
                atOnce = (end - begin) / 2;
                if (atOnce == 0) {
                    refuse(left, ProcessEnd.Kind.REJECTED, e.getMessage());
                    return;
                }
            } catch (BackendUnavailableException e) {
                conductor.execute(() -> startFailures.isUnanswered(e));
                refuse(left, ProcessEnd.Kind.UNAVAILABLE, e.getMessage());
                return;
            } catch (JobRejectedException e) {
                refuse(left, ProcessEnd.Kind.REJECTED, e.getMessage());
                return;
            } catch (BackendException e) {
                refuse(left, ProcessEnd.Kind.NOT_SUBMITTED, e.getMessage());
                return;
            } catch (Throwable e) {
                refuse(left, "The backend submitted nothing", e);
                return;
            }
        }
    }

    private void submitted(List<RemoteWorker> workers, List<Job> jobs) {
        startFailures.isAnswered();
        for (int i = 0; i < jobs.size(); i++) {
            workers.get(i).onJob(jobs.get(i));
        }
    }

    /** An event that cannot be passed on may be the end that a start waits for. */
    private void onEvent(Map<String, RemoteWorker> byName, JobEvent event) {
        try {
            RemoteWorker worker = byName.get(event.job().name());
            if (worker != null) {
                conductor.execute(() -> worker.onJobEvent(event));
            }
        } catch (VirtualMachineError e) {
            conductor.fail(e);
            throw e;
        }
    }

    private void refuse(List<RemoteWorker> registered, ProcessEnd.Kind kind, @Nullable String why) {
        conductor.execute(() -> registered.forEach(worker -> worker.machine.onRefused(kind, String.valueOf(why))));
    }

    /** Whatever a provider throws, a LinkageError too, ends the start; its trace is in the log, as it is a fault of code. */
    private void refuse(List<RemoteWorker> registered, String what, Throwable fault) {
        refuse(registered, ProcessEnd.Kind.NOT_SUBMITTED, what + ": " + fault);
        LOG.log(System.Logger.Level.WARNING, what + ": it has thrown what a provider does not throw.", fault);
    }

    /** Forgets a worker that has ended, fetches what it wrote last, and removes what it left. */
    void retire(RemoteWorker worker, ProcessEnd end, Consumer<List<String>> withLastLines) {
        workers.remove(worker.jobNumber());
        routes().router().disconnect(worker.address().path(), "'" + worker.name() + "' has ended: " + end.how());
        untold.add(withLastLines);
        Job job = worker.job();
        if (job == null) {
            conductor.execute(() -> tell(withLastLines, List.of()));
            return;
        }
        Runnable asking = () -> {
            List<String> lines = lastLines(job);
            conductor.execute(() -> tell(withLastLines, lines));
            Faults.isolated(
                    WorkerSupervisor.class, "What a worker left could not be removed.", transport::removeRemains);
        };
        blocking(asking, thrown -> conductor.execute(() -> tell(withLastLines, List.of())));
    }

    private void tell(Consumer<List<String>> owner, List<String> lastLines) {
        if (untold.remove(owner)) {
            owner.accept(lastLines);
        }
    }

    private static List<String> lastLines(Job job) {
        try {
            return job.logs(LAST_LINES);
        } catch (UnsupportedOperationException | BackendException e) {
            return List.of();
        } catch (Throwable e) {
            return List.of("(The backend could not tell the last lines: " + e + ")");
        }
    }

    /** Runs a task on a thread that may block; {@code instead} is told when there is no memory for such a thread. */
    private void blocking(Runnable task, Consumer<Throwable> instead) {
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

    /** A tick may end a worker, which takes it off the map; the list spares a copy for each tick. */
    private void tick(long nowNs) {
        for (RemoteWorker worker : workers.values()) {
            ticking.add(worker);
        }
        for (int i = 0; i < ticking.size(); i++) {
            ticking.get(i).machine.onTick(nowNs);
        }
        ticking.clear();
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

    /** No command of this conductor follows: what was to be started, and what has ended, is told now as well. */
    private void abandonAll(String why) {
        for (; !unstarted.isEmpty(); unstarted.remove()) {
            Faults.conducted(
                    WorkerSupervisor.class,
                    "A start could not be ended.",
                    () -> unstarted.element().requests().forEach(this::registerWithoutLink));
        }
        for (RemoteWorker worker : List.copyOf(workers.values())) {
            Faults.conducted(
                    WorkerSupervisor.class, "The end of a worker could not be told.", () -> worker.abandon(why));
            workers.remove(worker.jobNumber());
        }
        for (Consumer<List<String>> owner : List.copyOf(untold)) {
            Faults.conducted(
                    WorkerSupervisor.class, "The end of a worker could not be told.", () -> tell(owner, List.of()));
        }
    }

    /** Ends every worker by force. */
    public void killAll() {
        for (RemoteWorker worker : List.copyOf(workers.values())) {
            worker.terminate(java.time.Duration.ZERO);
        }
    }
}
