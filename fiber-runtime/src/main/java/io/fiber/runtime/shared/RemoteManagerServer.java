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

    /** So many guests may come by one address at one time. */
    public static final int MOST = 256;

    private static final long CLOSE_LIMIT_SECONDS = 5;

    /**
     * What a session knows.
     *
     * @param switchboard the exchange of this process
     * @param numbers numbers that no job of this process has
     * @param names names of transport and serializer, and the lease
     * @param host how this session's jobs reach this process
     * @param transports makes a transport that listens there
     * @param obstacle why nobody can be let in; empty when they can
     * @param refused is told of each one who did not prove himself
     */
    public record Terms(
            RpcRouter switchboard,
            LongSupplier numbers,
            Names names,
            CallerHost host,
            Function<CallerHost, Transport> transports,
            Optional<String> obstacle,
            Runnable refused) {

        AccessGrant.House house() {
            return new AccessGrant.House(names.transport(), names.serializer(), names.lease());
        }
    }

    /** What guests must have, too. */
    public record Names(String transport, String serializer, Duration lease) {}

    private record Opened(AuthListener door, ClientRegistry house) {}

    private final Terms terms;
    private final Set<Of> managers = ConcurrentHashMap.newKeySet();

    /** Creates what lets guests in. */
    public RemoteManagerServer(Terms terms) {
        this.terms = terms;
    }

    /** Returns the guests of one manager, by the registry of its objects. */
    public Of of(ObjectAddress registry) {
        return new Of(registry);
    }

    /** The session ends: nobody is let in any more, and those who were are sent away. */
    @Override
    public void close() {
        List.copyOf(managers).forEach(Of::close);
    }

    /** The guests of one manager. Thread-safe. */
    public final class Of implements AutoCloseable {
        private final ObjectAddress registry;
        private final List<Opened> doors = new ArrayList<>();
        private boolean closed;

        private Of(ObjectAddress registry) {
            this.registry = registry;
        }

        /** Opens a door where this session's jobs reach this process. */
        public ManagerEndpoint listen() {
            String advertised = terms.host().advertised();
            return open(terms.host(), ManagerEndpoint.of(advertised, 0));
        }

        /** Opens a door. */
        public ManagerEndpoint listen(ManagerEndpoint endpoint) {
            try {
                InetAddress bind = InetAddress.getByName(endpoint.host());
                if (bind.isAnyLocalAddress()) {
                    throw cannot(
                            endpoint, "it stands for all addresses of this host, and guests must be told one", null);
                }
                return open(new CallerHost(bind, endpoint.host(), CallerHost.Reach.NETWORK), endpoint);
            } catch (IOException e) {
                throw cannot(endpoint, "there is no such host", e);
            }
        }

        private synchronized ManagerEndpoint open(CallerHost host, ManagerEndpoint endpoint) {
            terms.switchboard().here().requireRoomBelow();
            if (closed) {
                throw cannot(endpoint, "the manager is closed", null);
            }
            if (terms.obstacle().isPresent()) {
                throw new FiberException(
                        "FBR-446",
                        "The manager can let nobody in: " + terms.obstacle().get());
            }
            CallerHost reached = new CallerHost(host.bind(), host.advertised(), CallerHost.Reach.NETWORK);
            ClientRegistry house =
                    new ClientRegistry(terms, registry, terms.transports().apply(reached));
            ServerSocketChannel listening = bind(host, endpoint);
            AuthListener door = new AuthListener(listening, JobKey.derived(endpoint.key(), AuthListener.USE), house);
            try {
                int port = ((InetSocketAddress) listening.getLocalAddress()).getPort();
                start(house, endpoint);
                door.begin();
                doors.add(new Opened(door, house));
                managers.add(this);
                return endpoint.at(port);
            } catch (IOException | RuntimeException e) {
                door.close();
                throw e instanceof FiberException known ? known : cannot(endpoint, String.valueOf(e.getMessage()), e);
            }
        }

        /** Sends all guests of the manager away, and lets in no more. May be called twice. */
        @Override
        public synchronized void close() {
            closed = true;
            for (Opened opened : doors) {
                opened.door().close();
                shut(opened.house());
            }
            doors.clear();
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
    private void start(ClientRegistry house, ManagerEndpoint endpoint) {
        CompletableFuture<@Nullable Void> opened = new CompletableFuture<>();
        Conductor conductor = terms.switchboard().conductor();
        boolean heard = conductor.execute(() -> conductor.later(() -> {
            try {
                house.open();
                opened.complete(null);
            } catch (Throwable e) {
                house.shut("it could not listen");
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

    private void shut(ClientRegistry house) {
        CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
        Conductor conductor = terms.switchboard().conductor();
        boolean heard = conductor.execute(() -> conductor.later(() -> {
            try {
                house.shut("the manager was closed");
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
