// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.FiberException;
import io.fiber.ManagerEndpoint;
import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.security.JobKey;
import io.fiber.spi.backend.CallerHost;
import io.fiber.spi.transport.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Lets other programs use what managers of a session host. Thread-safe. */
public final class RemoteManagerServer implements AutoCloseable {

    /** The greatest number of clients of one address at one time. */
    public static final int MOST = 256;

    private static final long CLOSE_LIMIT_SECONDS = 5;

    /**
     * What a session knows.
     *
     * @param router the router of this process
     * @param numbers numbers that no job of this process has
     * @param names names of transport and serializer, and the lease
     * @param host how this session's jobs reach this process
     * @param transports makes a transport that listens there
     * @param obstacle why no client is accepted; empty when they are
     * @param refused is told of each connection that did not show the key
     */
    public record Terms(
            RpcRouter router,
            LongSupplier numbers,
            Names names,
            CallerHost host,
            Function<CallerHost, Transport> transports,
            Optional<String> obstacle,
            Runnable refused) {

        AccessGrant.Requirements requirements() {
            return new AccessGrant.Requirements(names.transport(), names.serializer(), names.lease());
        }
    }

    /** What clients must have, too. */
    public record Names(String transport, String serializer, Duration lease) {}

    private record Opened(AuthListener listener, ClientRegistry clients) {}

    private final Terms terms;
    private final Set<Of> managers = ConcurrentHashMap.newKeySet();

    /** Creates the server of a session. */
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
    public final class Of implements AutoCloseable {
        private final ObjectAddress registry;
        private final List<Opened> listeners = new ArrayList<>();
        private boolean closed;

        private Of(ObjectAddress registry) {
            this.registry = registry;
        }

        /** Listens where this session's jobs reach this process. */
        public ManagerEndpoint listen() {
            String advertised = terms.host().advertised();
            return open(terms.host(), ManagerEndpoint.of(advertised, 0));
        }

        /** Listens at an address. */
        public ManagerEndpoint listen(ManagerEndpoint endpoint) {
            try {
                InetAddress bind = InetAddress.getByName(endpoint.host());
                if (bind.isAnyLocalAddress()) {
                    throw cannot(
                            endpoint, "it stands for all addresses of this host, and clients must be told one", null);
                }
                return open(new CallerHost(bind, endpoint.host(), CallerHost.Reach.NETWORK), endpoint);
            } catch (IOException e) {
                throw cannot(endpoint, "there is no such host", e);
            }
        }

        private synchronized ManagerEndpoint open(CallerHost host, ManagerEndpoint endpoint) {
            terms.router().path().requireRoomBelow();
            if (closed) {
                throw cannot(endpoint, "the manager is closed", null);
            }
            if (terms.obstacle().isPresent()) {
                throw new FiberException(
                        "FBR-446",
                        "The manager can let nobody in: " + terms.obstacle().get());
            }
            CallerHost reached = new CallerHost(host.bind(), host.advertised(), CallerHost.Reach.NETWORK);
            ClientRegistry clients =
                    new ClientRegistry(terms, registry, terms.transports().apply(reached));
            ServerSocketChannel listening = bind(host, endpoint);
            AuthListener listener =
                    new AuthListener(listening, JobKey.derived(endpoint.key(), AuthListener.USE), clients);
            try {
                int port = ((InetSocketAddress) listening.getLocalAddress()).getPort();
                start(clients, endpoint);
                listener.begin();
                listeners.add(new Opened(listener, clients));
                managers.add(this);
                return endpoint.at(port);
            } catch (IOException | RuntimeException e) {
                listener.close();
                throw e instanceof FiberException known ? known : cannot(endpoint, String.valueOf(e.getMessage()), e);
            }
        }

        /** Disconnects all clients of the manager, and accepts no more. May be called twice. */
        @Override
        public synchronized void close() {
            closed = true;
            for (Opened opened : listeners) {
                opened.listener().close();
                shut(opened.clients());
            }
            listeners.clear();
            managers.remove(this);
        }
    }

    private static ServerSocketChannel bind(CallerHost host, ManagerEndpoint endpoint) {
        ServerSocketChannel listening = null;
        try {
            listening = ServerSocketChannel.open();
            return listening.bind(new InetSocketAddress(host.bind(), endpoint.port()));
        } catch (IOException e) {
            closeQuietly(listening);
            throw cannot(endpoint, String.valueOf(e.getMessage()), e);
        }
    }

    private static void closeQuietly(@Nullable ServerSocketChannel listening) {
        try {
            if (listening != null) {
                listening.close();
            }
        } catch (IOException e) {
            // Nothing was let in by it.
        }
    }

    private static FiberException cannot(ManagerEndpoint endpoint, String why, @Nullable Throwable cause) {
        return new FiberException(
                "FBR-444",
                "The manager cannot listen at " + endpoint.address() + ": " + why
                        + ". Expected an address of this host with a free TCP port, and two free UDP ports.",
                cause);
    }

    /** The transport starts in the conductor's thread, which owns it from the first moment. */
    private void start(ClientRegistry clients, ManagerEndpoint endpoint) {
        CompletableFuture<@Nullable Void> opened = new CompletableFuture<>();
        Conductor conductor = terms.router().conductor();
        boolean heard = conductor.execute(() -> conductor.later(() -> {
            try {
                clients.open();
                opened.complete(null);
            } catch (Throwable e) {
                clients.shut("it could not listen");
                opened.completeExceptionally(e);
            }
        }));
        if (!heard) {
            throw new FiberException("FBR-302", "This session is closed. Open another one by Fiber.open().");
        }
        try {
            opened.join();
        } catch (CompletionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw cannot(endpoint, String.valueOf(cause.getMessage()), cause);
        }
    }

    private void shut(ClientRegistry clients) {
        CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
        Conductor conductor = terms.router().conductor();
        boolean heard = conductor.execute(() -> conductor.later(() -> {
            try {
                clients.shut("the manager was closed");
            } finally {
                done.complete(null);
            }
        }));
        if (!heard) {
            return;
        }
        try {
            done.get(CLOSE_LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // The conductor closes what it still has with itself.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
