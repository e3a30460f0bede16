// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker.main;

import static java.util.Objects.requireNonNull;

import io.fiber.runtime.broadcast.BroadcastCache;
import io.fiber.runtime.broadcast.SharedCopy;
import io.fiber.runtime.classloading.FetchedClasses;
import io.fiber.runtime.classloading.RemoteClasses;
import io.fiber.runtime.config.ConfigKey;
import io.fiber.runtime.config.Debugging;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.runtime.config.KnownKeys;
import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.pipe.Pipes;
import io.fiber.runtime.platform.AgronaAccess;
import io.fiber.runtime.platform.ClassPathSnapshot;
import io.fiber.runtime.platform.SessionDirectory;
import io.fiber.runtime.platform.SessionThreads;
import io.fiber.runtime.platform.ShellReaper;
import io.fiber.runtime.process.LookupClient;
import io.fiber.runtime.process.TransportSettings;
import io.fiber.runtime.protocol.Bootstrap;
import io.fiber.runtime.protocol.ExitCode;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.WorkerRole;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.security.Admission;
import io.fiber.runtime.security.HandshakeTerms;
import io.fiber.runtime.security.JobKey;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.security.WorkerHandshake;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.runtime.serialization.Side;
import io.fiber.runtime.serialization.TypeFilter;
import io.fiber.runtime.session.NestedSession;
import io.fiber.runtime.session.RuntimeEngine;
import io.fiber.runtime.worker.BootstrapReader;
import io.fiber.runtime.worker.EntryLimit;
import io.fiber.runtime.worker.ExitCleanup;
import io.fiber.runtime.worker.ExitWatch;
import io.fiber.runtime.worker.MasterRoute;
import io.fiber.runtime.worker.OtherBuild;
import io.fiber.runtime.worker.TaskCrew;
import io.fiber.runtime.worker.TaskExecutor;
import io.fiber.runtime.worker.TaskThread;
import io.fiber.runtime.worker.TermSignal;
import io.fiber.runtime.worker.WorkerAgent;
import io.fiber.spi.CallerHost;
import io.fiber.spi.Environment;
import io.fiber.spi.Options;
import io.fiber.spi.serializer.ObjectSerializer;
import io.fiber.spi.serializer.SerializerProvider;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.Transport;
import io.fiber.spi.transport.TransportProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.agrona.concurrent.SystemNanoClock;
import org.jspecify.annotations.Nullable;

/**
 * The main class of a worker, whose main thread is the I/O thread. Exit codes are those of {@link ExitCode}, or the
 * program's own.
 */
public final class WorkerMain {

    private static final System.Logger LOG = Logs.of(WorkerMain.class);

    private static final Duration WITHOUT_MASTER = Duration.ofSeconds(3);
    private static final long LAST_WORDS_MS = 500;

    private final Bootstrap bootstrap;
    private final ExitCleanup cleanup;
    private final ExitWatch exits;
    private final FiberConfig config;
    private final TransportProvider transportProvider;
    private final Duration lease;
    private final Conductor conductor;
    private @Nullable WorkerAgent agent;
    private volatile boolean running = true;
    /** Whether the JVM is ending, and the main thread continues until its shutdown hooks have ended. */
    private volatile boolean ending;

    private volatile @Nullable TaskExecutor tasks;
    private volatile int exitCode;
    private @Nullable FetchedClasses classes;

    private WorkerMain(Bootstrap bootstrap, ExitCleanup cleanup, ExitWatch exits) {
        this.bootstrap = bootstrap;
        this.cleanup = cleanup;
        this.exits = exits;
        this.transportProvider = transportProvider(bootstrap);
        this.config = FiberConfig.fromParent(bootstrap.config(), KnownKeys.of(List.of(transportProvider), Set.of()));
        AgronaAccess.ensure(config);
        Logs.enterWorker(bootstrap.name(), config);
        this.lease = Debugging.of(config).lease(config);
        this.conductor = new Conductor("fiber-conductor", SystemNanoClock.INSTANCE, lease);
    }

    /** Runs a worker; not for programs. */
    public static void main(String[] args) {
        ExitCleanup cleanup = new ExitCleanup();
        ExitWatch exits = new ExitWatch(cleanup);
        exits.set();
        Bootstrap bootstrap;
        try {
            bootstrap = BootstrapReader.read(Environment.system(), atLossOfMaster(cleanup));
            bootstrap.setProperties();
        } catch (IOException | IllegalArgumentException e) {
            System.err.println("fiber: this worker cannot read its bootstrap: " + e.getMessage());
            System.exit(ExitCode.BAD_BOOTSTRAP.code());
            return;
        }
        try {
            WorkerMain worker = new WorkerMain(bootstrap, cleanup, exits);
            int code = worker.run();
            worker.runWhile(() -> exit(exits, code));
        } catch (Throwable thrown) {
            LOG.log(System.Logger.Level.ERROR, "this worker has failed because of an internal error of Fiber", thrown);
            exits.exit(ExitCode.INTERNAL.code());
        }
    }

    /** Loads the classes that only {@link #main} uses, for a class-data archive. */
    static ExitWatch load(ExitCleanup cleanup) {
        ExitWatch exits = new ExitWatch(cleanup);
        exits.set();
        atLossOfMaster(cleanup);
        BootstrapReader.load();
        return exits;
    }

    private static Runnable atLossOfMaster(ExitCleanup cleanup) {
        return () -> {
            killDescendants();
            cleanup.remove();
            Runtime.getRuntime().halt(ExitCode.MASTER_LOST.code());
        };
    }

    /** Does a worker's work in the calling thread of a JVM that continues, and returns the exit code. */
    static int work(Bootstrap bootstrap, ExitCleanup cleanup) {
        WorkerMain worker = new WorkerMain(bootstrap, cleanup, new ExitWatch(cleanup));
        int code = worker.run();
        worker.conductor.onClose();
        return code;
    }

    private int run() {
        Transport transport = transportProvider.create(transportTerms());
        Link link = transport.dial(bootstrap.address());
        if (!hasFramesOfMaster(link)) {
            transport.close();
            return ExitCode.OTHER_BUILD.code();
        }
        WorkerHandshake handshake = new WorkerHandshake(
                HandshakeTerms.of(
                        bootstrap.sessionId(), bootstrap.processAddress().number(), link.isConfined()),
                new JobKey(bootstrap.jobKey()),
                new SecureRandom());
        agent = new WorkerAgent(
                handshake,
                (admission, role) -> startTasks(admission, role, link, transport),
                this::stop,
                config.duration(ConfigKey.SHUTDOWN_GRACE));
        exits.limit(config, this::tellHalting);
        conductor.addTransport(transport);
        conductor.addDuty(agent);
        MasterRoute way = new MasterRoute(
                bootstrap.parent(),
                bootstrap.transport().name(),
                transportProvider.inWords(bootstrap.address()),
                WorkerMain::transports);
        EntryLimit limit = new EntryLimit(lease, way, () -> tasks != null, this::stop);
        conductor.addDuty(limit);
        agent.greet(conductor.addPeer(link, agent));
        conductor.run(this::goesOn);
        return exitCode;
    }

    /** Clears an interrupt, which is meant for no one here and would keep this thread awake. */
    private boolean goesOn() {
        Thread.interrupted();
        return running || ending;
    }

    /**
     * Returns whether the link has the master's frame length. Otherwise the first long frame would break the connection
     * of this worker and of each one after it.
     */
    private boolean hasFramesOfMaster(Link link) {
        boolean isSame = link.maxFrameLength() == bootstrap.maxFrameLength();
        if (!isSame) {
            String transport = bootstrap.transport().name();
            LOG.log(
                    System.Logger.Level.ERROR,
                    OtherBuild.byFrames(transport, link.maxFrameLength(), bootstrap.maxFrameLength()));
        }
        return isSame;
    }

    /**
     * Continues while another thread ends this JVM, because shutdown hooks may use Fiber, and the master still expects
     * heartbeats. When the hooks have ended, the conductor is closed: the end of the connection tells the master that
     * the process is gone.
     */
    private void runWhile(Runnable exit) {
        CountDownLatch closed = new CountDownLatch(1);
        exits.closeAfterHooks(mostNs -> {
            ending = false;
            conductor.wake();
            await(closed, mostNs);
        });
        ending = true;
        try {
            new Thread(exit, "fiber-exit").start();
        } catch (OutOfMemoryError e) {
            exit.run();
        }
        conductor.run(this::goesOn);
        // A daemon thread's wait ends with the JVM, which is not a failure to report.
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {});
        conductor.onClose();
        closed.countDown();
    }

    private static void await(CountDownLatch closed, long mostNs) {
        try {
            if (!closed.await(mostNs, TimeUnit.NANOSECONDS)) {
                LOG.log(System.Logger.Level.DEBUG, "the connection was not closed in an orderly way");
            }
        } catch (InterruptedException e) {
            // The hook of this JVM must end, and this is its last action.
        }
    }

    /** Tells the master before this JVM is gone, unless the link is full. */
    private void tellHalting() {
        CompletableFuture<@Nullable Void> left = new CompletableFuture<>();
        conductor.execute(() -> requireNonNull(agent, "agent").tellHalting(left));
        left.completeOnTimeout(null, LAST_WORDS_MS, TimeUnit.MILLISECONDS).join();
    }

    /**
     * Leaves, because the platform will kill the process some time after the signal. Until then, it may finish what it
     * has started.
     */
    private boolean leave() {
        LOG.log(
                System.Logger.Level.INFO,
                "asked to end: this worker finishes the tasks that it has started, and takes no more");
        conductor.execute(() -> requireNonNull(agent, "agent").post(Messages.leaving()));
        return running;
    }

    private void stop(int code) {
        if (running) {
            LOG.log(System.Logger.Level.DEBUG, "ends with exit code " + code);
            exitCode = code;
            running = false;
            conductor.wake();
        }
    }

    private TaskExecutor startTasks(Admission admission, WorkerRole role, Link link, Transport transport) {
        if (role.kind() != WorkerRole.Kind.PROCESS) {
            conductor.addDuty(new TermSignal(this::leave));
        }
        LOG.log(
                System.Logger.Level.DEBUG,
                "accepted as worker " + bootstrap.processAddress().number() + " of session " + bootstrap.sessionId()
                        + " by '" + bootstrap.parent() + "' at "
                        + bootstrap.address().text());
        Seals seals = link.isConfined()
                ? Seals.none()
                : Seals.under(admission.payloadKey(), bootstrap.processAddress().number(), (sealer, what) -> {
                    requireNonNull(agent, "agent").cutOff(what);
                    conductor.wake();
                });
        RpcRouter router = new RpcRouter(
                bootstrap.processAddress(), conductor, seals, SessionThreads.blocking("fiber-worker", conductor::fail));
        LookupClient lookups = new LookupClient(router, role.services().lookups());
        ProcessContext process = new ProcessContext(router, binding -> codecs(lookups, binding));
        Codecs codecs = process.codecs();
        BroadcastCache broadcasts =
                new BroadcastCache(lookups, codecs.values(), new SharedCopy(this::directoryOfCopies));
        broadcasts.enter(process);
        Pipes opened = Pipes.open(process, transport);
        enterSession(
                new NestedSession.Worker(
                        bootstrap,
                        role.services().jobs(),
                        process,
                        transportProvider,
                        link.isConfined() ? CallerHost.Reach.SAME_HOST : CallerHost.Reach.NETWORK,
                        broadcasts,
                        Optional.ofNullable(classes)),
                opened);
        TaskExecutor started = TaskCrew.start(
                bootstrap.name(),
                new TaskThread.Context(codecs.values(), codecs.failures(), seals, conductor, process.afterwards()),
                role,
                (failed, thrown) -> {
                    LOG.log(
                            System.Logger.Level.ERROR,
                            "a task thread has failed because of an internal error of Fiber",
                            thrown);
                    stop(ExitCode.INTERNAL.code());
                });
        tasks = started;
        return started;
    }

    /** Enters the worker's session in the main thread, and thereby in every thread that is started from now on. */
    private void enterSession(NestedSession.Worker worker, Pipes opened) {
        WorkerAgent admitted = requireNonNull(agent, "agent");
        NestedSession session = new NestedSession(worker);
        ProcessContext process = worker.process();
        RpcRouter router = process.router();
        conductor.addDuty(router);
        router.connectMaster(admitted::offer);
        admitted.giveCallsTo(router::onMessageOfMaster);
        admitted.shutDownAfter(done -> session.end(() -> {
            process.afterwards().runAll();
            conductor.execute(() -> opened.leave(() -> router.whenFlushed(done)));
        }));
        RuntimeEngine.enter(session);
    }

    /**
     * Returns the directory in which workers of one session share files on this host, if that is not their master's
     * host.
     */
    private Path directoryOfCopies() {
        try {
            return SessionDirectory.shared(bootstrap.sessionId() + "-copies", cleanup::add);
        } catch (IOException e) {
            throw new UncheckedIOException("Broadcast values cannot be shared on this host: " + e.getMessage(), e);
        }
    }

    private Codecs codecs(LookupClient lookups, UnaryOperator<ObjectSerializer> binding) {
        TypeFilter filter = TypeFilter.allowing(config.list(ConfigKey.ALLOWED_CLASSES));
        Codecs.Place here = new Codecs.Place(Side.WORKER, bootstrap.classPath().ofThisJvm());
        if (!config.text(ConfigKey.REMOTE_CLASS_LOADING).orElseThrow().equals(RemoteClasses.ON)) {
            return Codecs.of(new Codecs.Choice(serializer(), Options.none(), filter), here, binding);
        }
        FetchedClasses fetched = new FetchedClasses(lookups);
        Codecs codecs = Codecs.withRemoteClasses(fetched, filter, here, binding);
        fetched.readVariablesWith(codecs.values());
        classes = fetched;
        return codecs;
    }

    private SerializerProvider serializer() {
        String name = config.text(ConfigKey.SERIALIZER).orElse("");
        JavaSerializerProvider standard = new JavaSerializerProvider();
        return name.isEmpty() || name.equals(standard.name()) ? standard : find(SerializerProvider.class, name);
    }

    private TransportSettings transportTerms() {
        return new TransportSettings(
                bootstrap.sessionId(),
                Path.of(System.getProperty("java.io.tmpdir")),
                cleanup::add,
                config.optionsOf(transportProvider),
                CallerHost.sameHost(),
                1,
                lease);
    }

    /**
     * Creates the provider by its class if possible, because looking for a service opens every jar of the class path.
     */
    private static TransportProvider transportProvider(Bootstrap bootstrap) {
        try {
            Class<?> type = Class.forName(bootstrap.transport().className());
            if (!type.getModule().isNamed()) {
                return (TransportProvider) type.getConstructor().newInstance();
            }
        } catch (ReflectiveOperationException e) {
            // The service is probably missing, too; the error then says what is on the class path.
        }
        return find(TransportProvider.class, bootstrap.transport().name());
    }

    private static <P extends io.fiber.spi.Provider> P find(Class<P> type, String name) {
        for (P provider : ServiceLoader.load(type)) {
            if (provider.name().equals(name)) {
                return provider;
            }
        }
        throw new IllegalStateException("This worker's class path has no " + type.getSimpleName() + " named '" + name
                + "', but its master's has one. The class path of this worker: "
                + ClassPathSnapshot.shown(System.getProperty("java.class.path", "")));
    }

    private static List<String> transports() {
        return ServiceLoader.load(TransportProvider.class).stream()
                .map(provider -> provider.get().name())
                .toList();
    }

    /** Ends this process within its limit, which is short without a master. */
    private static void exit(ExitWatch exits, int code) {
        if (code == ExitCode.MASTER_LOST.code()) {
            killDescendants();
            exits.exit(code, WITHOUT_MASTER);
        } else {
            exits.exit(code);
        }
    }

    /**
     * Kills the descendants of this process, except a reaper of its session, which has yet to remove the session's
     * files.
     */
    private static void killDescendants() {
        ProcessHandle.current()
                .descendants()
                .filter(process -> !ShellReaper.isOne(process))
                .forEach(ProcessHandle::destroyForcibly);
    }
}
