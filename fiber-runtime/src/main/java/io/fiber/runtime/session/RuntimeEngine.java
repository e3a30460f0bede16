// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import static java.util.Objects.requireNonNull;

import io.fiber.ConnectedManager;
import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.FiberEngine;
import io.fiber.ManagerEndpoint;
import io.fiber.runtime.config.ConfigSources;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.runtime.discovery.BackendSelection;
import io.fiber.runtime.discovery.Providers;
import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.platform.AgronaAccess;
import io.fiber.runtime.serialization.ValueCodec;
import io.fiber.runtime.shared.managers.ConnectedManagerClient;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.serializer.SerializerProvider;
import io.fiber.spi.transport.TransportProvider;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The engine that {@link io.fiber.Fiber} finds: opens sessions, and knows the session of a worker. Thread-safe. */
public final class RuntimeEngine implements FiberEngine {

    private static final InheritableThreadLocal<NestedSession> OF_WORKER = new InheritableThreadLocal<>();

    /** Environment variables that this JVM has warned about; they stay the same for all its sessions. */
    private static final Set<String> WARNED_OF = ConcurrentHashMap.newKeySet();

    @Override
    public FiberBuilder builder() {
        return new SessionBuilder();
    }

    /**
     * Returns the session of the calling thread's worker.
     *
     * @throws IllegalStateException FBR-301 if the thread does not belong to a worker, FBR-304 if it reads a task
     */
    @Override
    public Fiber current() {
        requireNotReading();
        return Optional.ofNullable(OF_WORKER.get())
                .orElseThrow(() -> new IllegalStateException(
                        "FBR-301 This thread does not belong to a worker of Fiber, so it has no current session. Open"
                                + " one with Fiber.open()."))
                .session();
    }

    @Override
    public ConnectedManager connect(ManagerEndpoint endpoint, Duration limit) {
        return ConnectedManagerClient.connect(requireNonNull(endpoint, "endpoint"), requireNonNull(limit, "limit"));
    }

    /**
     * Opens a session.
     *
     * @param given a backend that need not be on the class path; empty if it is chosen by name or not at all
     */
    static Fiber open(Optional<BackendProvider> given, Map<String, String> inCode) {
        requireNotReading();
        Providers providers = Providers.discover();
        FiberConfig config = FiberConfig.load(
                ConfigSources.system(inCode), providers.keys(given.stream().toList()));
        warnOf(config.foreignVariables());
        AgronaAccess.ensure(config);
        BackendSelection selection = new BackendSelection(providers.backends(), Environment.system());
        BackendProvider backend = given.map(selection::given)
                .orElseGet(() -> selection.select(config))
                .provider();
        TransportProvider transport = providers.selectTransport(config).provider();
        SerializerProvider serializer = providers.selectSerializer(config).provider();
        return SessionAssembly.assemble(
                new SessionAssembly.Choice(config, backend, transport, serializer), new ProcessPlace(Optional.empty()));
    }

    private static void warnOf(List<String> foreignVariables) {
        for (String variable : foreignVariables) {
            if (WARNED_OF.add(variable)) {
                Logs.of(RuntimeEngine.class)
                        .log(
                                Level.WARNING,
                                "FBR-125 The environment variable " + variable
                                        + " is not a setting of Fiber and is ignored. If it belongs to another"
                                        + " program, ignore this warning. docs/configuration.md lists every setting.");
            }
        }
    }

    /**
     * Refuses to open a session while a function is read. Reading a function initializes its class; if that starts a
     * pool with the same function, its workers would do the same, without end.
     */
    private static void requireNotReading() {
        if (OF_WORKER.get() != null
                && StackWalker.getInstance().walk(frames -> frames.anyMatch(RuntimeEngine::isReading))) {
            throw new IllegalStateException(
                    "FBR-304 A session was requested while this worker was deserializing: a class opens"
                            + " it in its static initializer or in readObject. The workers of that session would"
                            + " do the same, and so on without end. Open the session in a method that the program"
                            + " calls, such as main.");
        }
    }

    private static boolean isReading(StackWalker.StackFrame frame) {
        return frame.getClassName().equals(ValueCodec.class.getName());
    }

    /** Sets the session that {@link #current()} returns to the calling thread and to threads that it starts. */
    public static void enter(NestedSession session) {
        OF_WORKER.set(session);
    }
}
