// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import io.fiber.Fiber;
import io.fiber.runtime.broadcast.BroadcastCache;
import io.fiber.runtime.classloading.SessionClasses;
import io.fiber.runtime.config.ConfigKey;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.runtime.discovery.Providers;
import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.platform.HostAddress;
import io.fiber.runtime.protocol.Bootstrap;
import io.fiber.runtime.remotejobs.RemoteJobBackend;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.spi.CallerHost;
import io.fiber.spi.Environment;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.transport.TransportProvider;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The session of a worker, in which its tasks start processes. It opens when the first task asks for it, uses the
 * worker's conductor, and gets its jobs from the worker's master. It is closed before the worker leaves. Thread-safe.
 */
public final class NestedSession {

    private final Worker worker;
    private final ProcessPlace place;
    private final Object opening = new Object();
    private volatile boolean asked;
    private volatile boolean ending;
    private @Nullable Session session;

    /** Creates the session of a worker, without opening it. */
    public NestedSession(Worker worker) {
        this.worker = worker;
        this.place = new ProcessPlace(Optional.of(worker));
    }

    /** Returns the session, the same one until the program closes it. The first call opens it and blocks. */
    Fiber session() {
        asked = true;
        synchronized (opening) {
            Session open = session;
            if (open == null || (open.isClosed() && !ending)) {
                if (ending) {
                    throw new IllegalStateException(
                            "FBR-302 This worker is shutting down and cannot start any more processes.");
                }
                open = open();
                session = open;
            }
            return open;
        }
    }

    private Session open() {
        Providers providers = Providers.discover();
        FiberConfig config = FiberConfig.fromParent(worker.bootstrap().config(), providers.keys(List.of()));
        return SessionAssembly.assemble(
                new SessionAssembly.Choice(
                        config,
                        new MasterBackend(config.text(ConfigKey.BACKEND).orElseThrow()),
                        worker.transport(),
                        providers.selectSerializer(config).provider()),
                place);
    }

    /**
     * Waits for everything that was started here, as closing a session does, and then has the conductor run {@code
     * done}. Called by the conductor, once; returns at once.
     */
    public void end(Runnable done) {
        ending = true;
        if (!asked) {
            done.run();
            return;
        }
        Thread goodbye = new Thread(
                () -> {
                    try {
                        close();
                    } finally {
                        worker.conductor().execute(done);
                    }
                },
                "fiber-goodbye");
        goodbye.setDaemon(true);
        goodbye.start();
    }

    private void close() {
        Session last;
        synchronized (opening) {
            last = session;
        }
        if (last != null) {
            last.close();
        }
    }

    /**
     * What a session needs to know about its worker.
     *
     * @param jobServer number of the object in its master that starts jobs for it
     * @param reach whether it shares memory with its master; then everything that the master starts is on one host
     * @param classes classes that it was sent; empty if no classes travel
     */
    public record Worker(
            Bootstrap bootstrap,
            long jobServer,
            ProcessContext process,
            TransportProvider transport,
            CallerHost.Reach reach,
            BroadcastCache broadcasts,
            Optional<? extends SessionClasses> classes) {

        Conductor conductor() {
            return process.router().conductor();
        }
    }

    /** The master's backend as this worker reaches it. */
    private final class MasterBackend implements BackendProvider {
        private final String name;

        MasterBackend(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Probe probe(Environment environment) {
            return new Probe.Usable("its master has it");
        }

        @Override
        public Backend create(BackendContext context) {
            return new RemoteJobBackend(worker.process().router(), worker.jobServer(), callerHost());
        }

        private CallerHost callerHost() {
            if (worker.reach() == CallerHost.Reach.SAME_HOST) {
                return CallerHost.sameHost();
            }
            InetAddress address = HostAddress.reachable();
            return new CallerHost(address, address.getHostAddress(), CallerHost.Reach.NETWORK);
        }
    }
}
