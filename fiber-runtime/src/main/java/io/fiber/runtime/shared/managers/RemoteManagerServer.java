// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.managers;

import io.fiber.FiberException;
import io.fiber.ManagerEndpoint;
import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.security.JobKey;
import io.fiber.spi.CallerHost;
import io.fiber.spi.transport.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Lets other programs use what managers of a session host. Thread-safe. */
public final class RemoteManagerServer implements AutoCloseable {

    /** The greatest number of clients of one address at one time. */
    public static final int MOST = 256;

    private static final long CLOSE_LIMIT_SECONDS = 5;

    /**
     * What a session knows.
     *
     * @param numbers numbers that no worker of this process has
     * @param serializer name of the serializer that clients must have, too
     * @param lease how long a client may be silent
     * @param host how this session's jobs reach this process
     * @param transports makes a transport that can listen there
     * @param obstacle why no client is accepted; empty when they are
     * @param refused is told of each connection that did not show the key
     */
    public record Terms(
            RpcRouter router,
            IntSupplier numbers,
            String serializer,
            Duration lease,
            CallerHost host,
            Function<CallerHost, Transport> transports,
            Optional<String> obstacle,
            Runnable refused) {}

    private final Terms terms;
    private final Set<Of> managers = ConcurrentHashMap.newKeySet();

    public RemoteManagerServer(Terms terms) {
        this.terms = terms;
    }

    /** Returns the clients of one manager, by the registry of its objects. */
    public Of of(ObjectAddress registry) {
        return new Of(registry);
    }

    /** The session ends: all clients are disconnected, and no more are accepted. */
    @Override
    public void close() {
        List.copyOf(managers).forEach(Of::close);
    }

    /** The clients of one manager. Thread-safe. */
    public final class Of {
        private final ObjectAddress registry;
        private final List<ClientRegistry> listeners = new ArrayList<>();
        private boolean closed;

        private Of(ObjectAddress registry) {
            this.registry = registry;
        }

        /** Listens where this session's jobs reach this process. */
        public ManagerEndpoint listen() {
            CallerHost host = terms.host();
            return open(host.bind(), ManagerEndpoint.of(host.advertised(), 0));
        }

        public ManagerEndpoint listen(ManagerEndpoint endpoint) {
            try {
                InetAddress bind = InetAddress.getByName(endpoint.host());
                if (bind.isAnyLocalAddress()) {
                    throw cannot(
                            endpoint, "it stands for all addresses of this host, but clients need a single one", null);
                }
                return open(bind, endpoint);
            } catch (IOException e) {
                throw cannot(endpoint, "there is no such host", e);
            }
        }

        private synchronized ManagerEndpoint open(InetAddress bind, ManagerEndpoint endpoint) {
            terms.router().path().requireRoomBelow();
            if (closed) {
                throw cannot(endpoint, "the manager is closed", null);
            }
            if (terms.obstacle().isPresent()) {
                throw new FiberException(
                        "FBR-446",
                        "The manager cannot accept other programs: "
                                + terms.obstacle().get());
            }
            CallerHost reached = new CallerHost(bind, endpoint.host(), CallerHost.Reach.NETWORK);
            ClientRegistry clients = new ClientRegistry(
                    terms,
                    registry,
                    JobKey.derived(endpoint.key(), ClientRegistry.USE),
                    terms.transports().apply(reached));
            int port = start(clients, endpoint);
            listeners.add(clients);
            managers.add(this);
            return new ManagerEndpoint(endpoint.host(), port, endpoint.key());
        }

        /** Disconnects all clients of the manager, and accepts no more. May be called twice. */
        public synchronized void close() {
            closed = true;
            listeners.forEach(RemoteManagerServer.this::shut);
            listeners.clear();
            managers.remove(this);
        }
    }

    private static FiberException cannot(ManagerEndpoint endpoint, String why, @Nullable Throwable cause) {
        return new FiberException(
                "FBR-444",
                "The manager cannot listen at " + endpoint.address() + ": " + why
                        + ". Expected an address of this host with a free TCP port.",
                cause);
    }

    /** The transport starts in the conductor's thread, which owns it from the first moment. */
    private int start(ClientRegistry clients, ManagerEndpoint endpoint) {
        try {
            return terms.router()
                    .conductor()
                    .later(() -> open(clients, endpoint.port()))
                    .join();
        } catch (CancellationException e) {
            throw new FiberException("FBR-302", "This session is closed. Open another one with Fiber.open().", e);
        } catch (CompletionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw cannot(endpoint, String.valueOf(cause.getMessage()), cause);
        }
    }

    private static int open(ClientRegistry clients, int port) {
        try {
            return clients.open(port);
        } catch (Throwable e) {
            clients.shut("it could not listen");
            throw e;
        }
    }

    private void shut(ClientRegistry clients) {
        try {
            terms.router()
                    .conductor()
                    .later(() -> {
                        clients.shut("the manager was closed");
                        return true;
                    })
                    .get(CLOSE_LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | CancellationException e) {
            // The conductor closes what it still has with itself.
        } catch (ExecutionException e) {
            Logs.of(RemoteManagerServer.class)
                    .log(System.Logger.Level.ERROR, "The programs that use a manager could not be disconnected.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
