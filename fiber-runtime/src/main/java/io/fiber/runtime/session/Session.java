// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import static java.util.Objects.requireNonNull;

import io.fiber.Broadcast;
import io.fiber.CurrentProcess;
import io.fiber.Fiber;
import io.fiber.FiberProcess;
import io.fiber.FiberProcessBuilder;
import io.fiber.FiberQueue;
import io.fiber.Manager;
import io.fiber.ManagerBuilder;
import io.fiber.OneWayPipe;
import io.fiber.Pipe;
import io.fiber.Pool;
import io.fiber.PoolBuilder;
import io.fiber.Ring;
import io.fiber.RingBuilder;
import io.fiber.WaitInterruptedException;
import io.fiber.function.RemoteRunnable;
import io.fiber.runtime.broadcast.BroadcastRegister;
import io.fiber.runtime.collective.RingClient;
import io.fiber.runtime.config.ConfigKey;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.runtime.journal.Journals;
import io.fiber.runtime.pipe.Pipes;
import io.fiber.runtime.platform.SessionThreads;
import io.fiber.runtime.platform.Teardown;
import io.fiber.runtime.pool.LongClose;
import io.fiber.runtime.pool.PoolClient;
import io.fiber.runtime.pool.PoolSettings;
import io.fiber.runtime.pool.Pools;
import io.fiber.runtime.process.ProcessClient;
import io.fiber.runtime.process.ProcessSettings;
import io.fiber.runtime.process.SessionContext;
import io.fiber.runtime.process.WorkerSupervisor;
import io.fiber.runtime.rpc.UnderWay;
import io.fiber.runtime.shared.QueueProxy;
import io.fiber.runtime.shared.managers.Managers;
import io.fiber.runtime.shared.managers.RemoteManagerServer;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.JobSpec;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An open session, as its program sees it. Thread-safe. */
final class Session implements Fiber {

    private static final int QUEUE_CAPACITY = 1_024;
    private static final long TERMINATE_LIMIT_SECONDS = 8;
    private static final long TRAINING_DELAY_MS = 700;

    private final FiberConfig config;
    /** Names of the providers in use, by the key that chooses each. */
    private final Map<ConfigKey, String> providers;

    private final ProcessPlace place;
    private final WorkerSupervisor supervisor;
    private final SessionContext context;
    private final BroadcastRegister broadcasts;
    private final JobSpecs specs;
    private final Teardown teardown;
    private final Journals journals;
    private final Pools pools;
    private final Managers managers;
    /** The number of rings that got a number for a name. */
    private final AtomicInteger rings = new AtomicInteger();

    private final Set<PoolClient> openPools = ConcurrentHashMap.newKeySet();
    /** The processes in the order of their start. */
    private final List<FiberProcess> children = new CopyOnWriteArrayList<>();

    private final Thread atExit = new Thread(this::exit, "fiber-exit");
    private final AtomicBoolean trained = new AtomicBoolean();
    private volatile boolean closed;
    /** Whether a signal is handled, because there is a journal. */
    private volatile boolean stopsInOrder;

    Session(Parts parts) {
        this.config = parts.config();
        this.providers = parts.providers();
        this.place = parts.place();
        this.supervisor = parts.supervisor();
        this.context = parts.context();
        this.broadcasts = parts.broadcasts();
        this.specs = parts.specs();
        this.teardown = parts.teardown();
        this.journals = new Journals(
                context.codecs().values(), providers.getOrDefault(ConfigKey.SERIALIZER, ""), this::stopInOrder);
        teardown.add(journals);
        this.pools = new Pools(supervisor, context, journals, config);
        this.managers = new Managers(this::newProcess, context, parts.managerServer());
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    @Override
    public FiberProcessBuilder processBuilder(RemoteRunnable program) {
        requireNonNull(program, "program");
        requireOpen();
        requireRoomBelow();
        return new SessionJobBuilder.OfProcess(this, program);
    }

    ProcessClient newProcess(RemoteRunnable program, ProcessSettings settings) {
        requireOpen();
        requireRoomBelow();
        return newProcess(place.processes.incrementAndGet(), program, settings);
    }

    Optional<String> preview(RemoteRunnable program, ProcessSettings settings) {
        return newProcess(place.processes.get() + 1, program, settings).preview();
    }

    private ProcessClient newProcess(int number, RemoteRunnable program, ProcessSettings settings) {
        requireOpen();
        specs.check(settings.job());
        String label = settings.name().map(name -> jobName(name) + "-").orElse("");
        ProcessClient.Origin origin = new ProcessClient.Origin(
                supervisor,
                context,
                wanted -> specs.of(wanted, workers() + 1),
                "process-" + label + number,
                config.duration(ConfigKey.SHUTDOWN_GRACE),
                this::register);
        return new ProcessClient(origin, program, settings.withDefaultName("Process-" + number));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // no caller waits for what follows the end
    private void register(FiberProcess process) {
        children.add(process);
        process.onExit().thenRun(() -> children.remove(process));
        if (!process.isDaemon()) {
            context.process().underWay().add(UnderWay.Kind.PROCESS, process.onExit());
        }
    }

    @Override
    public PoolBuilder poolBuilder() {
        return poolBuilder(supervisor.slots());
    }

    @Override
    public PoolBuilder poolBuilder(int workers) {
        requireOpen();
        requireRoomBelow();
        return new SessionPoolBuilder(workers, this::makePool, this::preview);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // no caller waits for what follows the end
    private Pool makePool(PoolSettings settings) {
        requireOpen();
        specs.check(settings.job());
        trainOnce();
        int number = place.pools.incrementAndGet();
        String name = name(settings, number);
        PoolClient pool = pools.make(name, jobPrefix(number, name), settings, specs(settings));
        openPools.add(pool);
        pool.terminated().thenRun(() -> openPools.remove(pool));
        return pool;
    }

    private Optional<String> preview(PoolSettings settings) {
        requireOpen();
        int number = place.pools.get() + 1;
        return pools.preview(jobPrefix(number, name(settings, number)), settings, specs(settings));
    }

    private static String name(PoolSettings settings, int number) {
        return settings.name().orElse("pool-" + number);
    }

    private static String jobPrefix(int number, String name) {
        return "p" + number + "-" + jobName(name);
    }

    private Pools.Specs specs(PoolSettings settings) {
        int others = workers();
        return (needed, own) ->
                specs.of(settings.job().toBuilder().resources(needed).build(), others + own);
    }

    /** Returns the maximum number of workers of the open pools plus the number of live processes. */
    private int workers() {
        int workers = children.size();
        for (PoolClient pool : openPools) {
            workers += pool.mostWorkers();
        }
        return workers;
    }

    @Override
    public <T> FiberQueue<T> queue() {
        return queue(QUEUE_CAPACITY);
    }

    @Override
    public <T> FiberQueue<T> queue(int capacity) {
        requireOpen();
        return QueueProxy.make(context.process(), capacity);
    }

    /** Creates the archive for later sessions while this one works, once its workers have had time to start. */
    private void trainOnce() {
        if (trained.compareAndSet(false, true)) {
            CompletableFuture.delayedExecutor(TRAINING_DELAY_MS, TimeUnit.MILLISECONDS, context.blocking())
                    .execute(specs::train);
        }
    }

    private static String jobName(String name) {
        StringBuilder safe = new StringBuilder();
        for (char c : name.toLowerCase(Locale.ROOT).toCharArray()) {
            safe.append((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '-');
        }
        return safe.substring(0, Math.min(safe.length(), 40));
    }

    /** Returns whether nothing can be started any more. */
    boolean isClosed() {
        return closed;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("FBR-302 This session is closed. Open another one with Fiber.open().");
        }
    }

    private void requireRoomBelow() {
        context.process().router().path().requireRoomBelow();
    }

    @Override
    public RingBuilder ringBuilder(int size) {
        requireOpen();
        requireRoomBelow();
        return new SessionJobBuilder.OfRing(this, size);
    }

    Ring newRing(Optional<String> name, int size, JobSpec job, Optional<RemoteRunnable> initializer) {
        requireOpen();
        specs.check(job);
        return new RingClient(
                name.orElseGet(() -> "ring-" + rings.incrementAndGet()),
                size,
                job,
                initializer,
                this::newProcess,
                context);
    }

    @Override
    public ManagerBuilder managerBuilder() {
        requireOpen();
        return new SessionJobBuilder.OfManager(this);
    }

    Manager startManager(RemoteRunnable initializer, ProcessSettings settings) {
        requireOpen();
        return managers.start(initializer, settings);
    }

    @Override
    public <A extends @Nullable Object, B extends @Nullable Object> Pipe<A, B> pipe() {
        return pipes().pipe();
    }

    @Override
    public <T extends @Nullable Object> OneWayPipe<T> oneWayPipe() {
        return pipes().oneWayPipe();
    }

    private Pipes pipes() {
        requireOpen();
        return context.process().part(Pipes.class);
    }

    @Override
    public List<FiberProcess> activeChildren() {
        return children.stream().filter(FiberProcess::isAlive).toList();
    }

    @Override
    public <T> Broadcast<T> broadcast(T value) {
        requireNonNull(value, "value");
        requireOpen();
        return broadcasts.add(value);
    }

    @Override
    public int cpuCount() {
        return Runtime.getRuntime().availableProcessors();
    }

    @Override
    public CurrentProcess currentProcess() {
        return new ThisProcess(
                place.name(),
                Long.toString(ProcessHandle.current().pid()),
                place.parent(),
                ThisProcess.gpus(Environment.system()));
    }

    @Override
    public String backend() {
        return providers.getOrDefault(ConfigKey.BACKEND, "");
    }

    @Override
    public String describe() {
        StringBuilder text = new StringBuilder(config.describe(providers));
        text.append("counted refused-peers = ").append(supervisor.refusals()).append('\n');
        supervisor.transportCounters().forEach((name, value) -> {
            if (value != 0) {
                text.append("counted ").append(name).append(" = ").append(value).append('\n');
            }
        });
        return text.toString();
    }

    @Override
    public String toString() {
        return "Fiber[" + place.name() + ", " + backend() + "]";
    }

    private void exit() {
        ExitNotice notice = ExitNotice.install();
        String dropped = context.process().underWay().inWords();
        shutdownNow();
        if (!dropped.isEmpty()) {
            notice.say("dropped " + dropped + " that had not ended.");
        }
    }

    @Override
    public void shutdownNow() {
        closed = true;
        boolean heard = context.conductor().execute(() -> {
            openPools.forEach(PoolClient::kill);
            supervisor.killAll();
        });
        if (heard) {
            awaitBriefly(openPools.stream().map(PoolClient::terminated));
            awaitBriefly(children.stream().map(FiberProcess::onExit));
        }
        end();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            openPools.forEach(Pool::shutdown);
            openPools.forEach(Pool::close);
            children.stream().filter(FiberProcess::isDaemon).forEach(FiberProcess::terminate);
            children.forEach(Session::awaitEnd);
        } catch (WaitInterruptedException e) {
            Thread.interrupted();
            shutdownNow();
            Thread.currentThread().interrupt();
            throw e;
        }
        if (trained.get()) {
            specs.awaitTraining();
        }
        end();
    }

    private static void awaitEnd(FiberProcess child) {
        new LongClose(
                        "the session",
                        () -> "process '" + child.name() + "', which is " + child.state() + "." + lastLine(child),
                        () -> {})
                .await(limit ->
                        SessionThreads.await(child.onExit(), limit, "the end of process '" + child.name() + "'"));
    }

    /**
     * Returns the last line of a process. If its program has returned, that line names the threads that keep it running
     * (FBR-315).
     */
    private static String lastLine(FiberProcess child) {
        try {
            return child.logs(1).stream().map(line -> " Its last line: " + line).collect(Collectors.joining());
        } catch (RuntimeException e) {
            // The platform does not keep the output, or does not answer.
            return "";
        }
    }

    /** In a worker, signals belong to the master. */
    private void stopInOrder() {
        if (place.worker.isEmpty()) {
            stopsInOrder = true;
            OrderlyStop.add(this);
        }
    }

    /** Waits until the disk has all results that journals were given. */
    void syncJournals() {
        journals.sync();
    }

    /** Returns how long tasks may run on that run when a signal stops the program. */
    Duration stopNotice() {
        return config.duration(ConfigKey.STOP_NOTICE);
    }

    /** Has no more tasks start. Returns what is completed when those that run have ended. */
    Stream<CompletableFuture<?>> quiet() {
        return openPools.stream().map(PoolClient::hold);
    }

    private void end() {
        if (stopsInOrder) {
            OrderlyStop.remove(this);
        }
        teardown.run();
        if (Thread.currentThread() != atExit) {
            try {
                Runtime.getRuntime().removeShutdownHook(atExit);
            } catch (IllegalStateException e) {
                // The JVM is ending: the hook finds nothing left to do.
            }
        }
    }

    private static void awaitBriefly(Stream<? extends CompletableFuture<?>> ends) {
        try {
            CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new))
                    .get(TERMINATE_LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // The teardown ends whatever has not ended now.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What {@link SessionAssembly} made for a session. */
    record Parts(
            FiberConfig config,
            Map<ConfigKey, String> providers,
            ProcessPlace place,
            WorkerSupervisor supervisor,
            SessionContext context,
            BroadcastRegister broadcasts,
            RemoteManagerServer managerServer,
            JobSpecs specs,
            Teardown teardown) {}
}
