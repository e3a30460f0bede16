// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import io.fiber.FiberException;
import io.fiber.runtime.broadcast.BroadcastRegister;
import io.fiber.runtime.classloading.RemoteClasses;
import io.fiber.runtime.classloading.SentClasses;
import io.fiber.runtime.classloading.SessionClasses;
import io.fiber.runtime.config.ConfigKey;
import io.fiber.runtime.config.Debugging;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.runtime.discovery.BackendSelection;
import io.fiber.runtime.discovery.Providers;
import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.eventloop.IoThread;
import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.pipe.Pipes;
import io.fiber.runtime.platform.ClassDataArchive;
import io.fiber.runtime.platform.ClassPathSnapshot;
import io.fiber.runtime.platform.JvmArguments;
import io.fiber.runtime.platform.SessionDirectory;
import io.fiber.runtime.platform.SessionThreads;
import io.fiber.runtime.platform.ShellReaper;
import io.fiber.runtime.platform.Teardown;
import io.fiber.runtime.process.DebuggerPorts;
import io.fiber.runtime.process.LookupHandler;
import io.fiber.runtime.process.LookupServer;
import io.fiber.runtime.process.ProcessMachine;
import io.fiber.runtime.process.RemoteWorker;
import io.fiber.runtime.process.SessionContext;
import io.fiber.runtime.process.SubmissionBudget;
import io.fiber.runtime.process.TransportSettings;
import io.fiber.runtime.process.WorkerSupervisor;
import io.fiber.runtime.protocol.ProcessAddress;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.Protocol;
import io.fiber.runtime.protocol.ProviderName;
import io.fiber.runtime.protocol.WorkerRole;
import io.fiber.runtime.remotejobs.RemoteJobServer;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.Side;
import io.fiber.runtime.serialization.TypeFilter;
import io.fiber.runtime.shared.managers.RemoteManagerServer;
import io.fiber.runtime.worker.ExitWatch;
import io.fiber.spi.CallerHost;
import io.fiber.spi.Environment;
import io.fiber.spi.Options;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.Reaper;
import io.fiber.spi.serializer.ObjectSerializer;
import io.fiber.spi.serializer.SerializerProvider;
import io.fiber.spi.transport.Transport;
import io.fiber.spi.transport.TransportException;
import io.fiber.spi.transport.TransportProvider;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.agrona.concurrent.SystemNanoClock;

/** Assembles a session, and closes the existing parts if a later part fails. */
final class SessionAssembly {

    private static final System.Logger LOG = Logs.of(SessionAssembly.class);
    private static final int MAX_PEERS = 1024;
    private static final long EXIT_WAIT_NS = 1_000_000_000;
    /**
     * How long a process may take to halt itself when its shutdown hooks have had their time. On a busy host that takes
     * seconds, and to wait longer harms nothing: the platform or the connection usually tells of the end before.
     */
    private static final long HALT_WAIT_NS = 15_000_000_000L;

    private static final long CANCEL_WAIT_NS = 5_000_000_000L;
    private static final long LEAVE_LIMIT_SECONDS = 5;

    record Choice(
            FiberConfig config, BackendProvider backend, TransportProvider transport, SerializerProvider serializer) {}

    private record Context(String sessionId, Path directory, Options options, Environment environment, Reaper reaper)
            implements BackendContext {}

    private final Choice choice;
    private final ProcessPlace place;
    private final Debugging debugging;
    private final String sessionId = SessionDirectory.newId();
    private final Teardown teardown = new Teardown();
    private final Optional<? extends SessionClasses> classes;
    /**
     * Ends the session if a task of the session's threads throws an exception that cannot be reported to a waiting
     * thread.
     */
    private volatile Consumer<Throwable> failing = thrown -> {};

    private SessionAssembly(Choice choice, ProcessPlace place) {
        this.choice = choice;
        this.place = place;
        this.debugging = Debugging.of(choice.config());
        this.classes = classes(choice, place);
    }

    /** Returns an open session of a process. In a worker, it uses the process's conductor. */
    static Session assemble(Choice choice, ProcessPlace place) {
        SessionAssembly assembly = new SessionAssembly(choice, place);
        try {
            return assembly.build();
        } catch (RuntimeException | Error e) {
            assembly.teardown.run();
            throw e;
        }
    }

    private Session build() {
        SessionDirectory directory = teardown.add(SessionDirectory.open(sessionId));
        if (place.worker.isEmpty()) {
            teardown.add(Logs.alsoToFile(place.name(), choice.config()));
            LOG.log(System.Logger.Level.DEBUG, "session " + sessionId + " opens with " + providers());
        }
        ShellReaper reaper = teardown.add(ShellReaper.of(directory));
        Context backendContext = new Context(
                sessionId, directory.path(), choice.config().optionsOf(choice.backend()), Environment.system(), reaper);
        Backend backend = teardown.add(BackendSelection.open(choice.backend(), backendContext));
        ExecutorService blocking = SessionThreads.blocking("fiber-blocking", this::fail);
        teardown.add(blocking::shutdownNow);
        ExecutorService callbacks = SessionThreads.callbacks(this::fail);
        teardown.add(callbacks::shutdown);
        Conductor conductor = place.worker.map(NestedSession.Worker::conductor).orElseGet(this::startConductor);
        failing = conductor::fail;
        CallerHost callerHost = callerHost(backend.callerHost());
        Transport transport =
                choice.transport().create(transportTerms(choice.transport(), directory, reaper, callerHost, MAX_PEERS));
        InheritedOptions inherited = inherited(callerHost.reach());
        JobSpecs specs = specs(
                reaper,
                new WorkerSpecs.Inheritance(
                        inherited.jvmOptions(), callerHost.reach(), backend.isOneHost(), choice.backend()));
        ClassPathSnapshot classPath =
                place.worker.map(worker -> worker.bootstrap().classPath()).orElseGet(specs::classPath);
        WorkerSupervisor supervisor = new WorkerSupervisor(
                supervisorTerms(inherited.properties(), classPathOfWorkers(classPath)),
                conductor,
                transport,
                backend,
                blocking);
        place.worker.ifPresent(shared -> teardown.add(() -> leave(shared.conductor(), transport, supervisor)));
        if (debugging.isOn()) {
            watchDebuggers(conductor, supervisor);
        }
        boolean confined = openTransport(conductor, transport, supervisor);
        Seals seals = confined
                ? Seals.none()
                : Seals.under(supervisor.payloadKey(), Protocol.MASTER_NUMBER, supervisor::onDamage);
        ProcessContext process = place.worker
                .map(NestedSession.Worker::process)
                .orElseGet(() -> process(
                        new RpcRouter(new ProcessAddress(sessionId, ProcessPath.root()), conductor, seals, blocking),
                        transport,
                        classPath));
        if (place.worker.isEmpty()) {
            teardown.add(process.underWay().keepJvm());
        }
        // In a worker, those of its process are based on the master's choice.
        Codecs codecs = place.worker.isPresent() ? codecs(process::around, classPath.ofThisJvm()) : process.codecs();
        SessionContext context =
                new SessionContext(conductor, codecs, seals, blocking, callbacks, SubmissionBudget.ofHeap(), process);
        BroadcastRegister broadcasts = new BroadcastRegister(
                directory.path().resolve("values"),
                context.codecs().values(),
                place.worker.map(NestedSession.Worker::broadcasts));
        broadcasts.enter(process);
        serve(
                supervisor,
                new LookupServer(lookups(broadcasts), supervisor, context),
                new RemoteJobServer(
                        backend,
                        specs::ofNested,
                        path -> Optional.ofNullable(supervisor.worker(path)).map(RemoteWorker::name),
                        context),
                context);
        RemoteManagerServer managerServer = teardown.add(new RemoteManagerServer(new RemoteManagerServer.Terms(
                process.router(),
                () -> place.takeNumbers(1),
                choice.serializer().name(),
                lease(),
                callerHost,
                host -> listening(directory, reaper, host),
                classes.map(remote -> "this session sends classes to its workers, and other programs cannot fetch"
                        + " them. Set remote-class-loading to off."),
                supervisor::countRefusal)));
        return new Session(new Session.Parts(
                choice.config(), providers(), place, supervisor, context, broadcasts, managerServer, specs, teardown));
    }

    private void watchDebuggers(Conductor conductor, WorkerSupervisor supervisor) {
        if (place.worker.isEmpty()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "FBR-128 Debuggers can attach to workers, because the setting debug is on: without a password, every user of a"
                            + " worker's host can run code in that worker. The lease, start-limit and deadlines of tasks do not"
                            + " apply.");
        }
        DebuggerPorts ports = new DebuggerPorts(supervisor, conductor);
        conductor.execute(() -> conductor.addDuty(ports));
        teardown.add(() -> conductor.execute(() -> conductor.removeDuty(ports)));
    }

    private void fail(Throwable thrown) {
        failing.accept(thrown);
    }

    /** Looks up the transport when a manager listens. Few do, and other sessions start faster without it. */
    private Transport listening(SessionDirectory directory, ShellReaper reaper, CallerHost host) {
        TransportProvider provider = Providers.discover()
                .listeningTransport(Optional.of(choice.transport().name()));
        return provider.create(transportTerms(provider, directory, reaper, host, RemoteManagerServer.MOST));
    }

    private void serve(
            WorkerSupervisor supervisor, LookupServer lookupServer, RemoteJobServer jobServer, SessionContext context) {
        RpcRouter router = context.process().router();
        ObjectAddress lookups = router.host(lookupServer);
        teardown.add(() -> router.withdraw(lookups));
        ObjectAddress jobs = router.host(jobServer);
        teardown.add(() -> router.withdraw(jobs));
        WorkerRole.Services services = new WorkerRole.Services(lookups.object(), jobs.object());
        WorkerSupervisor.Routes routes = new WorkerSupervisor.Routes(router, context.seals(), services);
        context.conductor().execute(() -> supervisor.serveCalls(routes));
    }

    private Map<Integer, LookupHandler> lookups(BroadcastRegister broadcasts) {
        Map<Integer, LookupHandler> kinds = new HashMap<>();
        kinds.put(LookupServer.BROADCAST, broadcasts);
        classes.ifPresent(remote -> kinds.put(LookupServer.CLASS, remote));
        return kinds;
    }

    /** Returns the classes that travel, if classes travel. For a worker, its master has decided this. */
    private static Optional<? extends SessionClasses> classes(Choice choice, ProcessPlace place) {
        if (place.worker.isPresent()) {
            return place.worker.get().classes();
        }
        return RemoteClasses.isOn(choice.config(), choice.serializer())
                ? Optional.of(new SentClasses())
                : Optional.empty();
    }

    private Map<ConfigKey, String> providers() {
        return Map.of(
                ConfigKey.BACKEND, choice.backend().name(),
                ConfigKey.TRANSPORT, choice.transport().name(),
                ConfigKey.SERIALIZER, choice.serializer().name());
    }

    private ProcessContext process(RpcRouter router, Transport transport, ClassPathSnapshot classPath) {
        ProcessContext process = new ProcessContext(router, binding -> codecs(binding, classPath));
        router.conductor().execute(() -> router.conductor().addDuty(router));
        Pipes.open(process, transport);
        return process;
    }

    private Codecs codecs(UnaryOperator<ObjectSerializer> binding, ClassPathSnapshot classPath) {
        TypeFilter filter = TypeFilter.allowing(choice.config().list(ConfigKey.ALLOWED_CLASSES));
        Codecs.Place here = new Codecs.Place(Side.MASTER, classPath);
        if (classes.isPresent()) {
            Codecs codecs = Codecs.withRemoteClasses(classes.get(), filter, here, binding);
            if (classes.get() instanceof SentClasses sent) {
                sent.writeVariablesWith(codecs.values());
            }
            return codecs;
        }
        SerializerProvider serializer = choice.serializer();
        Options options = choice.config().optionsOf(serializer);
        return Codecs.of(new Codecs.Choice(serializer, options, filter), here, binding);
    }

    /**
     * Returns how workers are started. A worker does not decide this for its own workers; the process with the real
     * backend does.
     */
    private JobSpecs specs(Reaper reaper, WorkerSpecs.Inheritance inheritance) {
        return place.worker.isPresent()
                ? (wanted, workers) -> wanted
                : new WorkerSpecs(choice.config(), choice.transport(), archive(reaper), inheritance);
    }

    /**
     * Returns the options to inherit. A worker passes on the properties that it was sent; the process with the real
     * backend adds the rest.
     */
    private InheritedOptions inherited(CallerHost.Reach reach) {
        if (place.worker.isPresent()) {
            return new InheritedOptions(
                    List.of(), place.worker.get().bootstrap().properties(), List.of());
        }
        if (!choice.config().isOn(ConfigKey.WORKER_INHERIT_OPTIONS)) {
            return new InheritedOptions(List.of(), Map.of(), List.of());
        }
        InheritedOptions options = InheritedOptions.of(JvmArguments.read(), System::getProperty, reach);
        if (!options.leftBehind().isEmpty()) {
            LOG.log(
                    System.Logger.Level.DEBUG,
                    "options of this JVM that workers do not get: " + String.join(" ", options.leftBehind())
                            + " . Set those that they need with worker.jvm-options.");
        }
        return options;
    }

    /** Returns the backend's view of the way to this process, unless the settings override it. */
    private CallerHost callerHost(CallerHost ofBackend) {
        Optional<String> bind = choice.config().text(ConfigKey.BIND_ADDRESS);
        Optional<String> advertised = choice.config().text(ConfigKey.ADVERTISED_ADDRESS);
        try {
            return new CallerHost(
                    bind.isPresent() ? InetAddress.getByName(bind.get()) : ofBackend.bind(),
                    advertised.orElseGet(() -> bind.orElse(ofBackend.advertised())),
                    ofBackend.reach());
        } catch (UnknownHostException e) {
            throw new FiberException(
                    "FBR-321",
                    "The transport cannot listen: the setting bind-address is '" + bind.orElse("")
                            + "', which is not an address of this host.",
                    e);
        }
    }

    private Duration lease() {
        return debugging.lease(choice.config());
    }

    private TransportSettings transportTerms(
            TransportProvider provider, SessionDirectory directory, ShellReaper reaper, CallerHost host, int maxPeers) {
        return new TransportSettings(
                sessionId,
                directory.path(),
                reaper::removeAtDeath,
                choice.config().optionsOf(provider),
                host,
                maxPeers,
                lease());
    }

    /**
     * Returns the class path that workers compare with. Workers that have a copy of the files do not know when these
     * were written.
     */
    private ClassPathSnapshot classPathOfWorkers(ClassPathSnapshot own) {
        boolean areShared =
                place.worker.isPresent() || choice.backend().capabilities().contains(Capability.SHARED_FILES);
        return areShared ? own : ClassPathSnapshot.NONE;
    }

    private WorkerSupervisor.Terms supervisorTerms(Map<String, String> properties, ClassPathSnapshot classPath) {
        Duration startLimit = debugging.startLimit(choice.config());
        Map<String, String> config = new LinkedHashMap<>(choice.config().toMap());
        config.put(ConfigKey.BACKEND.property(), choice.backend().name());
        if (classes.isPresent()) {
            config.put(ConfigKey.REMOTE_CLASS_LOADING.property(), RemoteClasses.ON);
        }
        return new WorkerSupervisor.Terms(
                sessionId,
                place.name(),
                ProviderName.of(choice.transport()),
                config,
                properties,
                classPath,
                new ProcessMachine.Limits(startLimit.toNanos(), endLimitNs(), EXIT_WAIT_NS, CANCEL_WAIT_NS),
                place::takeNumbers);
    }

    private long endLimitNs() {
        return Math.min(ExitWatch.limitNs(choice.config()), Long.MAX_VALUE - HALT_WAIT_NS) + HALT_WAIT_NS;
    }

    private Conductor startConductor() {
        Conductor conductor = new Conductor("fiber-conductor", SystemNanoClock.INSTANCE, lease());
        IoThread.start(conductor, teardown);
        return conductor;
    }

    /** Removes a session from a conductor that continues without it. */
    private static void leave(Conductor conductor, Transport transport, WorkerSupervisor supervisor) throws Exception {
        CompletableFuture<Boolean> left = conductor.later(() -> {
            conductor.removeDuty(supervisor);
            conductor.removeTransport(transport);
            return true;
        });
        try {
            left.get(LEAVE_LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (CancellationException e) {
            // The conductor has closed the transport with itself.
        }
    }

    /** Starts the transport in the conductor's thread, which owns it from the first moment. */
    private static boolean openTransport(Conductor conductor, Transport transport, WorkerSupervisor supervisor) {
        CompletableFuture<Boolean> confined = conductor.later(() -> {
            conductor.addTransport(transport);
            conductor.addDuty(supervisor);
            return supervisor.openFirstLink();
        });
        try {
            return confined.join();
        } catch (CancellationException e) {
            throw new IllegalStateException("FBR-302 This session is closed. Open another one with Fiber.open().", e);
        } catch (CompletionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new FiberException("FBR-321", "The transport cannot listen: " + words(cause), cause);
        }
    }

    /** Returns the cause in words. The message of a transport is enough; other exceptions need their type. */
    private static String words(Throwable cause) {
        return cause instanceof TransportException ? String.valueOf(cause.getMessage()) : cause.toString();
    }

    private Optional<ClassDataArchive> archive(Reaper reaper) {
        // The archive fits this Java only.
        boolean wanted = choice.config().isOn(ConfigKey.CDS)
                && choice.config().text(ConfigKey.WORKER_JAVA).isEmpty();
        boolean possible = choice.backend().capabilities().contains(Capability.SHARED_FILES);
        if (!wanted || !possible) {
            return Optional.empty();
        }
        Optional<ClassDataArchive> archive =
                ClassDataArchive.open(choice.config().path(ConfigKey.CDS_DIRECTORY), Environment.system(), reaper);
        archive.ifPresent(teardown::add);
        return archive;
    }
}
