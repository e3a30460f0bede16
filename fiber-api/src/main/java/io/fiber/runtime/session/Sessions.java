// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.runtime.config.ConfigKey;
import io.fiber.runtime.config.ConfigSources;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.runtime.discovery.BackendSelection;
import io.fiber.runtime.discovery.Providers;
import io.fiber.runtime.host.AgronaAccess;
import io.fiber.runtime.log.Logs;
import io.fiber.runtime.serial.ValueCodec;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.serializer.SerializerProvider;
import io.fiber.spi.transport.TransportProvider;
import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Opens sessions, and knows the session of a worker. Thread-safe. */
public final class Sessions {

    private static final InheritableThreadLocal<WorkerSession> OF_WORKER = new InheritableThreadLocal<>();

    /** Environment variables that this JVM has warned of, since they stay the same for all its sessions. */
    private static final Set<String> WARNED_OF = ConcurrentHashMap.newKeySet();

    private Sessions() {}

    /** Opens a session. */
    public static Fiber open(FiberBuilder.Settings settings) {
        requireNotReading();
        Providers providers = Providers.discover();
        List<BackendProvider> given = settings.backendProvider().map(List::of).orElse(List.of());
        FiberConfig config = FiberConfig.load(ConfigSources.system(inCode(settings)), providers.keys(given));
        warnOf(config.foreignVariables());
        AgronaAccess.ensure(config.isOn(ConfigKey.AGRONA_OPEN).orElseThrow());
        Environment environment = Environment.system();
        BackendSelection selection = new BackendSelection(providers.backends(), environment);
        BackendProvider backend = settings.backendProvider()
                .map(selection::given)
                .orElseGet(() -> selection.select(config))
                .provider();
        TransportProvider transport = providers.selectTransport(config).provider();
        SerializerProvider serializer = providers.selectSerializer(config).provider();
        return SessionAssembly.assemble(
                new SessionAssembly.Choice(config, environment, backend, transport, serializer), Place.main());
    }

    private static void warnOf(List<String> foreignVariables) {
        for (String variable : foreignVariables) {
            if (WARNED_OF.add(variable)) {
                Logs.of(Sessions.class)
                        .log(
                                Level.WARNING,
                                "FBR-125 The environment variable " + variable
                                        + " is no setting of Fiber and is ignored. If another program uses it, all is"
                                        + " well; docs/configuration.md lists every setting.");
            }
        }
    }

    /**
     * Reading a function initializes its class. When that starts a pool with the same function, its workers would do so
     * too, and theirs, without end.
     */
    private static void requireNotReading() {
        if (OF_WORKER.get() != null && StackWalker.getInstance().walk(frames -> frames.anyMatch(Sessions::isReading))) {
            throw new IllegalStateException(
                    "FBR-304 A session was asked for while this worker reads what it was sent: a class of it does that in"
                            + " its static initializer or in readObject. The workers of that session would do the same,"
                            + " and theirs, without end. Do it in a method that the program calls, such as main.");
        }
    }

    private static boolean isReading(StackWalker.StackFrame frame) {
        return frame.getClassName().equals(ValueCodec.class.getName());
    }

    private static Map<String, String> inCode(FiberBuilder.Settings settings) {
        Map<String, String> values = new LinkedHashMap<>(settings.values());
        settings.backend().ifPresent(name -> values.put(ConfigKey.BACKEND.key(), name));
        settings.transport().ifPresent(name -> values.put(ConfigKey.TRANSPORT.key(), name));
        settings.lease().ifPresent(lease -> values.put(ConfigKey.LEASE.key(), lease.toNanos() + "ns"));
        return values;
    }

    /**
     * Returns the session of the worker that the calling thread belongs to.
     *
     * @throws IllegalStateException FBR-301 when the thread is not one of a worker's, FBR-304 when it reads a task
     */
    public static Fiber current() {
        requireNotReading();
        return Optional.ofNullable(OF_WORKER.get())
                .orElseThrow(() -> new IllegalStateException(
                        "FBR-301 This thread runs in no worker of Fiber, so there is no current session. Open one by"
                                + " Fiber.open()."))
                .session();
    }

    /** Says which session {@link #current} returns to the calling thread and those that it starts. */
    public static void enter(WorkerSession session) {
        OF_WORKER.set(session);
    }

    /** The session of a worker, opened when somebody asks for it. */
    @FunctionalInterface
    public interface WorkerSession {
        /** Returns the session, the same one at each call until somebody closes it. */
        Fiber session();
    }
}
